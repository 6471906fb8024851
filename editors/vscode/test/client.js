"use strict";

// The real extension and the real vscode-languageclient against the real server,
// over its standard input and output. Only the editor's window is made up, in
// vscode.js. MOMON names the program; without it, it is built.

const assert = require("assert");
const { execFileSync } = require("child_process");
const fs = require("fs");
const Module = require("module");
const os = require("os");
const path = require("path");

const editor = require("./vscode.js");
const load = Module._load;
Module._load = function (name, ...rest) {
  return name === "vscode" ? editor.vscode : load.call(this, name, ...rest);
};

const { vscode, events, providers, commands, diagnostics, messages, settings, Document, Uri } = editor;
const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "momon-client-")));

const hare = `keyword ซ่อน (จำนวน: number) en "Hide {จำนวน}" th "ซ่อน {จำนวน}" {
  always on each snatch where target == self: raise need by จำนวน
}
card "กระต่าย" en "Hare" th "กระต่าย" {
  element Water;   power 1; worth 1; sight North; mark South
  ซ่อน 2
}
case "hare" en "Hare" th "กระต่าย" {
  given A: "กระต่าย" of P1
  expect A.power == 1
}
`;

const token = () => new vscode.CancellationTokenSource().token;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function until(what, f) {
  for (let i = 0; i < 6000; i++) {
    const got = await f();
    if (got) return got;
    await sleep(50);
  }
  throw new Error(`${what} did not come\n${messages.join("\n")}`);
}

async function main() {
  let program = process.env.MOMON;
  if (!program) {
    program = path.join(dir, os.platform() === "win32" ? "momon.exe" : "momon");
    execFileSync("go", ["build", "-o", program, "./cmd/momon"], { cwd: path.join(__dirname, "../../.."), stdio: "inherit" });
  }
  settings.path = program;
  const file = path.join(dir, "rules-of-mine", "hare.momon");
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, hare);
  vscode.workspace.workspaceFolders.push({ uri: Uri.file(path.dirname(file)), name: "mine", index: 0 });

  const extension = require("../src/extension.js");
  const context = { subscriptions: [] };
  await extension.activate(context);
  const doc = new Document(file, hare);
  vscode.workspace.textDocuments.push(doc);
  await events.onDidOpenTextDocument.fire(doc);

  const change = async (from, to) => {
    const at = doc.text.indexOf(from);
    assert(at >= 0, from);
    const range = new editor.Range(doc.positionAt(at), doc.positionAt(at + from.length));
    doc.text = doc.text.slice(0, at) + to + doc.text.slice(at + from.length);
    doc.version++;
    await events.onDidChangeTextDocument.fire({ document: doc, contentChanges: [{ range, rangeOffset: at, rangeLength: from.length, text: to }], reason: undefined });
  };
  const place = (text, off = 0) => doc.positionAt(doc.text.indexOf(text) + off);
  const one = async (kind) => (await until(kind, () => providers[kind]))[0];

  await change("Water", "Watre");
  const wrong = await until("a diagnostic", () => (diagnostics.get(doc.uri.toString()) || []).find((d) => d.message.includes("Watre")));
  assert.strictEqual(wrong.range.start.line, 4);
  assert.strictEqual(wrong.range.start.character, doc.text.split("\n")[4].indexOf("Watre"));
  assert.strictEqual(wrong.severity, vscode.DiagnosticSeverity.Error);
  console.log("diagnostics:", wrong.message.split("\n")[0]);

  const fixes = await (await one("registerCodeActionsProvider")).provideCodeActions(doc, wrong.range, { diagnostics: [wrong], only: undefined }, token());
  assert(fixes.length > 0);
  await change("Watre", "Water");
  await until("no diagnostic", () => (diagnostics.get(doc.uri.toString()) || []).length === 0);

  const hover = await (await one("registerHoverProvider")).provideHover(doc, place("ซ่อน 2", 1), token());
  const said = JSON.stringify(hover, (k, v) => v);
  assert(said.includes("keyword ซ่อน (จำนวน: number)"), said);
  console.log("hover: keyword ซ่อน (จำนวน: number)");

  await change("worth 1;", "worth 1; ซ");
  const offered = await (await one("registerCompletionItemProvider")).provideCompletionItems(doc, place("; ซ", 3), token(), {});
  const items = Array.isArray(offered) ? offered : offered.items || offered.args[0];
  assert(items.some((i) => JSON.stringify(i).includes("ซ่อน")), "ซ่อน is not offered");
  console.log("completion:", items.length, "items");
  await change("worth 1; ซ", "worth 1;");

  const defined = await (await one("registerDefinitionProvider")).provideDefinition(doc, place("ซ่อน 2"), token());
  const home = [].concat(defined)[0];
  assert(JSON.stringify(home).includes("hare.momon"), JSON.stringify(defined));
  console.log("definition: hare.momon");

  const edit = await (await one("registerRenameProvider")).provideRenameEdits(doc, place("ซ่อน ("), "หลบ", token());
  const edits = edit.entries().flatMap(([, e]) => e);
  assert.strictEqual(edits.length, 2, JSON.stringify(edits));
  console.log("rename:", edits.length, "edits");
  await assert.rejects((await one("registerRenameProvider")).provideRenameEdits(doc, place("power 1"), "might", token()));

  const layout = await (await one("registerDocumentFormattingEditProvider")).provideDocumentFormattingEdits(doc, { tabSize: 2, insertSpaces: true }, token());
  assert(layout.length > 0);
  console.log("format:", layout.length, "edits");

  const lenses = await until("the result of a case", async () => {
    const list = await (await one("registerCodeLensProvider")).provideCodeLenses(doc, token());
    return list.some((l) => JSON.stringify(l).includes("✓")) && list;
  });
  console.log("code lens:", lenses.map((l) => l.command.title).join(" | "));
  const result = await commands["momon.runCase"](doc.uri.toString(), "hare");
  assert.deepStrictEqual(result, { run: 1, failed: [] });
  console.log("run:", JSON.stringify(result));

  const outline = await (await one("registerDocumentSymbolProvider")).provideDocumentSymbols(doc, token());
  assert.strictEqual(outline.length, 3);
  const colours = await (await one("registerDocumentSemanticTokensProvider")).provideDocumentSemanticTokens(doc, token());
  assert(JSON.stringify(colours).length > 100);
  const folds = await (await one("registerFoldingRangeProvider")).provideFoldingRanges(doc, {}, token());
  assert.strictEqual(folds.length, 3);
  console.log("outline, colours and folding came");

  await extension.deactivate();
  fs.rmSync(dir, { recursive: true });
  console.log("client: all as wanted");
}

main().then(() => process.exit(0), (err) => {
  console.error(err);
  process.exit(1);
});
