// A sample adapter: glue between the protocol of docs/conformance.md and an engine.
//
// Copy the folder, put your engine in place of engine.ts, and map more of the suite. All that is
// not mapped is answered with `unsupported`, so nothing is ever half understood.

import { createInterface } from "node:readline";
import { Engine } from "./engine.js";

const hello = {
  protocol: 1, name: "toy-typescript", version: "1", rules: "built-in", features: ["refused-rule"],
  questions: ["value", "has", "count", "controller", "owner", "happened", "refused", "refused-rule"],
};

type Data = Record<string, any>; // a part of a case, as it came

/** Names what the engine lacks. */
class Unsupported extends Error {}

/** A member that is not mapped says something that would be missed. */
function only(part: Data, ...members: string[]): void {
  const lack = Object.keys(part).find((m) => !members.includes(m));
  if (lack) throw new Unsupported(`${part["do"] ?? ""} ${lack}`.trim());
}

/** Here you put a card on your engine's board. */
function add(engine: Engine, card: Data): void {
  only(card, "object", "zone", "owner", "controller", "name", "printed");
  if (card["zone"] !== "Arena") throw new Unsupported(`zone ${card["zone"]}`);
  engine.add(card["object"], card["owner"], card["controller"], card["printed"].power ?? 0);
}

/** Here you call your engine: a line for each instruction that it knows. */
function act(engine: Engine, i: Data): void {
  only(i, "do", "roles", "with", "keyword", "token");
  const roles: Data = i["roles"] ?? {};
  const word = [i["do"], ...Object.keys(roles).sort(), JSON.stringify([i["with"], i["keyword"]?.keyword, i["token"]])].join(" ");
  if (word === "snatch source target [null,null,null]") engine.snatch(roles["source"], [roles["target"]]);
  else if (word === 'check source targets [{"sure":true},null,null]') engine.check(roles["source"], roles["targets"].items);
  else if (word === "give object player [null,null,null]") engine.give(roles["object"], roles["player"]);
  else if (word === 'grant object [null,"Ward",null]') engine.grantWard(roles["object"]);
  else if (word === 'remove host [null,null,"Ward"]') engine.removeWard(roles["host"]);
  else throw new Unsupported(`this ${i["do"]}`);
}

/** Here you read your engine's state, and what happened in the last step. */
function ask(engine: Engine, q: Data): unknown {
  const kind: string = q["question"];
  if (["check", "snatch", "give", "grant"].includes(q["action"])) {
    const roles = wanted(q["where"] ?? true);
    const came = engine.happenings.filter((h) => h.action === q["action"] && roles.every(([role, label]) => h.roles[role] === label));
    const refused = came.filter((h) => h.refused !== "no");
    if (kind === "happened") return came.length > refused.length;
    if (kind === "refused") return refused[0]?.refused ?? "no";
    if (kind === "refused-rule") return refused.some((h) => h.rule === q["rule"]);
  }
  const of = engine.momon.get(q["of"]);
  if (of && (kind === "controller" || kind === "owner")) return of[kind];
  if (of && kind === "value" && q["characteristic"] === "power") return of.power;
  if (of && kind === "has" && q["keyword"] === "Ward") return of.ward !== null;
  if (of && kind === "count" && q["token"] === "Ward") return of.ward ? 1 : 0;
  throw new Unsupported(`this ${kind}`);
}

/** Which label a question wants in which role: `role == label`, and `and` of them. */
function wanted(where: true | Data): [role: string, label: string][] {
  if (where === true) return [];
  if (where["op"] === "and") return where["args"].flatMap(wanted);
  const [left, right] = where["args"] ?? [];
  if (where["op"] !== "==" || left?.op !== "role" || left.of || typeof right !== "string") throw new Unsupported("this where");
  return [[left.role, right]];
}

function play(c: Data): Data {
  const engine = new Engine(); // every case begins with an empty board
  const answers: Data[] = [];
  try {
    for (const card of c["start"]) add(engine, card);
    for (const s of c["script"]) {
      if (!s.ask) engine.happenings = []; // questions speak of the last step that does something
      if (s.ask) answers.push({ step: s.step, answer: ask(engine, s.ask) });
      else if (s.open === "turn") engine.beginTurn(s.of);
      else if (s.close === "turn") engine.endTurn();
      else if (s.do) for (const instruction of s.do) act(engine, instruction);
      else throw new Unsupported("this step");
    }
  } catch (error) {
    if (error instanceof Unsupported) return { outcome: "unsupported", feature: error.message };
    return { outcome: "error", code: "engine", message: String(error) }; // the next case is another one
  }
  return { outcome: "done", answers };
}

for await (const line of createInterface({ input: process.stdin })) {
  const q = JSON.parse(line);
  const answer = q.type === "hello" ? hello : q.type === "case" ? play(q.case) : { ok: q.type === "bye" };
  process.stdout.write(`${JSON.stringify({ seq: q.seq, ...answer })}\n`);
  if (q.type === "bye") break;
}
