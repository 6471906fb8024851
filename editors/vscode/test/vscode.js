"use strict";

// As much of the editor as vscode-languageclient touches: enough to start the real
// extension and the real client without a window. Events are real, so that opening
// and changing a document goes the way that it goes in the editor; whatever the
// client registers is kept for the test to call.

const { pathToFileURL, fileURLToPath } = require("url");

class Disposable {
  constructor(f) {
    this.f = f;
  }
  dispose() {
    if (this.f) this.f();
  }
  static from(...list) {
    return new Disposable(() => list.forEach((d) => d.dispose()));
  }
}

class EventEmitter {
  constructor() {
    this.list = [];
    this.event = (f, self) => {
      const g = self ? f.bind(self) : f;
      this.list.push(g);
      return new Disposable(() => (this.list = this.list.filter((x) => x !== g)));
    };
  }
  fire(e) {
    return Promise.all(this.list.map((f) => f(e)));
  }
  dispose() {}
}

class Position {
  constructor(line, character) {
    this.line = line;
    this.character = character;
  }
}

class Range {
  constructor(a, b, c, d) {
    this.start = typeof a === "number" ? new Position(a, b) : a;
    this.end = typeof a === "number" ? new Position(c, d) : b;
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    const u = new URL(text);
    this.scheme = u.protocol.slice(0, -1);
    this.authority = u.host;
    this.path = decodeURIComponent(u.pathname);
    this.query = "";
    this.fragment = "";
    this.fsPath = this.scheme === "file" ? fileURLToPath(text) : this.path;
  }
  toString() {
    return this.text;
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(p) {
    return new Uri(pathToFileURL(p).toString());
  }
}

class Document {
  constructor(file, text) {
    this.uri = Uri.file(file);
    this.fileName = file;
    this.languageId = "momon";
    this.version = 1;
    this.isClosed = false;
    this.text = text;
  }
  getText() {
    return this.text;
  }
  positionAt(at) {
    const lines = this.text.slice(0, at).split("\n");
    return new Position(lines.length - 1, lines[lines.length - 1].length);
  }
  offsetAt(p) {
    const lines = this.text.split("\n");
    return lines.slice(0, p.line).reduce((n, l) => n + l.length + 1, 0) + p.character;
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class WorkspaceEdit {
  constructor() {
    this.all = new Map();
  }
  set(uri, edits) {
    this.all.set(uri.toString(), edits);
  }
  replace(uri, range, text) {
    this.all.set(uri.toString(), [...(this.all.get(uri.toString()) || []), new TextEdit(range, text)]);
  }
  entries() {
    return [...this.all].map(([u, e]) => [Uri.parse(u), e]);
  }
}

class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { range, newText });
  }
  static replace(range, text) {
    return new TextEdit(range, text);
  }
  static insert(at, text) {
    return new TextEdit(new Range(at, at), text);
  }
  static delete(range) {
    return new TextEdit(range, "");
  }
}

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
Object.assign(CodeActionKind, {
  Empty: new CodeActionKind(""),
  QuickFix: new CodeActionKind("quickfix"),
  Refactor: new CodeActionKind("refactor"),
  Source: new CodeActionKind("source"),
});

class CancellationTokenSource {
  constructor() {
    this.emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  }
  cancel() {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose() {}
}

const events = {};
const event = (name) => (events[name] = events[name] || new EventEmitter()).event;
const providers = {};
const commands = {};
const diagnostics = new Map();
const messages = [];
const settings = {};

const api = {
  version: "1.100.0",
  Disposable, EventEmitter, Position, Range, Uri, Diagnostic, WorkspaceEdit, TextEdit, CodeActionKind, CancellationTokenSource,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  env: { language: "en", appName: "test", clipboard: {}, openExternal: async () => true },
  workspace: {
    textDocuments: [],
    notebookDocuments: [],
    workspaceFolders: [],
    isTrusted: true,
    getConfiguration: () => ({ get: (k, d) => (k in settings ? settings[k] : d), inspect: () => undefined, has: () => false }),
    createFileSystemWatcher: () => ({ onDidCreate: () => new Disposable(), onDidChange: () => new Disposable(), onDidDelete: () => new Disposable(), dispose() {} }),
    getWorkspaceFolder: () => api.workspace.workspaceFolders[0],
    asRelativePath: (p) => String(p),
    applyEdit: async () => true,
  },
  window: {
    visibleTextEditors: [],
    tabGroups: { all: [], onDidChangeTabs: event("tabs"), onDidChangeTabGroups: event("groups") },
    createOutputChannel: () => ({ append() {}, appendLine(s) { messages.push(s); }, show() {}, dispose() {}, clear() {}, replace() {}, hide() {}, name: "" }),
    showInformationMessage: async (m) => void messages.push(m),
    showWarningMessage: async (m) => void messages.push(m),
    showErrorMessage: async (m) => void messages.push(m),
    withProgress: (_, f) => f({ report() {} }, new CancellationTokenSource().token),
  },
  languages: {
    match: (selector, doc) => (selector.some((f) => f.language === doc.languageId && (!f.scheme || f.scheme === doc.uri.scheme)) ? 10 : 0),
    createDiagnosticCollection: () => ({
      set: (uri, list) => (diagnostics.set(uri.toString(), list), events.diagnosed.fire(uri)),
      delete: (uri) => diagnostics.delete(uri.toString()),
      clear: () => diagnostics.clear(),
      get: (uri) => diagnostics.get(uri.toString()),
      has: (uri) => diagnostics.has(uri.toString()),
      forEach() {},
      dispose() {},
    }),
  },
  commands: {
    registerCommand: (name, f) => ((commands[name] = f), new Disposable()),
    executeCommand: async (name, ...args) => (commands[name] ? commands[name](...args) : undefined),
  },
};
event("diagnosed");

// What is asked for and not written above: an event, a provider to keep, or a class
// whose members are its own names.
const fill = (o, make) => new Proxy(o, { get: (t, k) => (k in t || typeof k === "symbol" ? t[k] : (t[k] = make(k))) });
for (const part of ["workspace", "window", "languages"]) {
  api[part] = fill(api[part], (k) => {
    if (k.startsWith("on")) return event(k);
    if (k.startsWith("register")) {
      return (...args) => {
        const provider = args.find((a, i) => i > 0 && a && typeof a === "object" && !Array.isArray(a)) || args[0];
        (providers[k] = providers[k] || []).push(provider);
        return new Disposable();
      };
    }
    return undefined;
  });
}
const names = (k) => {
  const c = class {
    constructor(...args) {
      this.args = args;
    }
  };
  return new Proxy(c, { get: (t, m) => (m in t || typeof m === "symbol" ? t[m] : `${k}.${String(m)}`) });
};

module.exports = {
  vscode: fill(api, (k) => (/^[A-Z]/.test(k) ? names(k) : fill({}, (m) => (m.startsWith("on") ? event(m) : undefined)))),
  events, providers, commands, diagnostics, messages, settings, Document, Uri, Position, Range,
};
