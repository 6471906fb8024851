"use strict";

// Starts "momon lsp" for .momon files and hands it what the editor is set to. All
// that is known of rules is known there.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

// settings are what the server is told: nothing of what is not set.
function settings() {
  const c = vscode.workspace.getConfiguration("momon");
  const out = { lang: c.get("lang") || vscode.env.language.slice(0, 2) };
  if (out.lang !== "th") {
    out.lang = "en";
  }
  for (const key of ["rules", "with"]) {
    const list = c.get(key);
    if (Array.isArray(list) && list.length > 0) {
      out[key] = list;
    }
  }
  return out;
}

function make() {
  const command = vscode.workspace.getConfiguration("momon").get("path") || "momon";
  const run = { command, args: ["lsp"], transport: TransportKind.stdio };
  return new LanguageClient("momon", "Momon rules", { run, debug: run }, {
    documentSelector: [
      { scheme: "file", language: "momon" },
      { scheme: "untitled", language: "momon" },
    ],
    initializationOptions: settings(),
    outputChannelName: "Momon rules",
  });
}

async function start() {
  client = make();
  try {
    await client.start();
  } catch (err) {
    const open = "Open the settings";
    const answer = await vscode.window.showErrorMessage(
      `The momon program could not be started (${err.message}). Is the setting momon.path right?`, open);
    if (answer === open) {
      vscode.commands.executeCommand("workbench.action.openSettings", "momon.path");
    }
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old && old.needsStop()) {
    await old.stop();
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("momon.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (e) => {
      if (e.affectsConfiguration("momon.path")) {
        await stop();
        await start();
      } else if (e.affectsConfiguration("momon") && client) {
        client.sendNotification("workspace/didChangeConfiguration", { settings: { momon: settings() } });
      }
    }),
  );
  await start();
}

function deactivate() {
  return stop();
}

module.exports = { activate, deactivate };
