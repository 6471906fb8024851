"use strict";

// Holds the TextMate grammar against the lines in grammar.txt, with the library
// that the editor itself uses; then reads every rule file of the project with it
// and looks for a text or a comment that runs on.

const fs = require("fs");
const path = require("path");
const assert = require("assert");
const vsctm = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const here = path.join(__dirname, "..");
const root = path.join(here, "..", "..");

async function main() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new vsctm.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (p) => new oniguruma.OnigScanner(p),
      createOnigString: (s) => new oniguruma.OnigString(s),
    }),
    loadGrammar: async (scope) =>
      scope === "source.momon"
        ? vsctm.parseRawGrammar(fs.readFileSync(path.join(here, "syntaxes/momon.tmLanguage.json"), "utf8"), "momon.json")
        : null,
  });
  const grammar = await registry.loadGrammar("source.momon");

  // Each example is a line of rule text, and below it lines of: TEXT => SCOPE.
  let failed = 0;
  let seen = 0;
  let line = "";
  let scopes = [];
  let state = vsctm.INITIAL;
  for (const text of fs.readFileSync(path.join(__dirname, "grammar.txt"), "utf8").split("\n")) {
    const want = /^ {4}(.+?) => (.+)$/.exec(text);
    if (want) {
      seen++;
      const at = line.indexOf(want[1]);
      const got = scopes.filter((t) => t.startIndex <= at && at < t.endIndex).flatMap((t) => t.scopes);
      if (at < 0 || !got.some((s) => s === want[2] || s.startsWith(want[2] + "."))) {
        failed++;
        console.error(`${line}\n  ${want[1]}: wanted ${want[2]}, got ${got.join(" ")}`);
      }
      continue;
    }
    if (text.startsWith("---")) {
      state = vsctm.INITIAL;
      continue;
    }
    line = text;
    const r = grammar.tokenizeLine(line, state);
    scopes = r.tokens;
    state = r.ruleStack;
  }
  assert(seen > 40, "the examples were not read");

  let files = 0;
  let lines = 0;
  const walk = (dir) => {
    for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
      const p = path.join(dir, e.name);
      if (e.isDirectory()) {
        walk(p);
      } else if (e.name.endsWith(".momon")) {
        files++;
        let stack = vsctm.INITIAL;
        for (const text of fs.readFileSync(p, "utf8").split(/\r?\n/)) {
          lines++;
          const r = grammar.tokenizeLine(text, stack);
          stack = r.ruleStack;
          const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, (s) => "\u0001".repeat(s.length));
          for (const t of r.tokens) {
            const isText = t.scopes.some((s) => s.startsWith("string."));
            const isNote = t.scopes.some((s) => s.startsWith("comment."));
            const hash = /(^|[\s{};])#(?![.)=!<>])/.exec(bare);
            const chars = bare.slice(t.startIndex, t.endIndex);
            const inNote = hash && t.startIndex >= hash.index;
            if (isText && !inNote && /[^\u0001]/.test(chars) || isNote && !hash) {
              failed++;
              console.error(`${path.relative(root, p)}: ${text}\n  ${text.slice(t.startIndex, t.endIndex)}: ${t.scopes.join(" ")}`);
            }
          }
        }
      }
    }
  };
  for (const dir of ["rules", "cards", "conformance"]) {
    walk(path.join(root, dir));
  }
  assert(files > 30 && lines > 1000, "the rule files were not read");
  console.log(`grammar: ${seen} examples, ${files} files with ${lines} lines, ${failed} wrong`);
  process.exit(failed ? 1 : 0);
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
