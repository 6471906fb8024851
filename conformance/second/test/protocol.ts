// The adapter's answers, line by line.

import { respond } from "../src/protocol.js";

let failed = 0;
function check(what: string, got: unknown, want: unknown): void {
  if (JSON.stringify(got) === JSON.stringify(want)) return;
  failed++;
  process.stdout.write(`${what}: expected ${JSON.stringify(want)}, got ${JSON.stringify(got)}\n`);
}
const say = (message: unknown): Record<string, unknown> => respond(JSON.stringify(message)).reply;

const momon = (object: string, player: string, printed: object = {}): object => ({
  object, zone: "Arena", owner: player, controller: player, name: object, printed,
});
const example = (script: object[], extra: object = {}): object => ({
  id: "example", status: "normative", tier: "core", features: [], start: [momon("A", "P1", { power: 2 }), momon("B", "P2")],
  script: script.map((s, i) => ({ step: i + 1, ...s })), ...extra,
});
const grant = { do: [{ do: "grant", keyword: { keyword: "Ward" }, roles: { object: "A" } }] };
const ward = { ask: { question: "has", of: "A", keyword: "Ward" } };

check("hello", say({ seq: 1, type: "hello", protocols: [1] })["protocol"], 1);
check("a protocol of another time", say({ seq: 2, type: "hello", protocols: [9] })["code"], "protocol");
check("rules", say({ seq: 3, type: "rules", files: [] })["ok"], false);
check("case", say({ seq: 4, type: "case", case: example([grant, ward]) }), {
  seq: 4, outcome: "done", answers: [{ step: 2, answer: true }],
});
check("nothing is left of the case before", say({ seq: 5, type: "case", case: example([ward]) })["answers"], [
  { step: 1, answer: false },
]);
const may = say({ seq: 6, type: "case", case: example([grant, { do: [{ do: "may", by: "P1", body: [] }], as: "A" }]) });
check("an answer that is missing", [may["outcome"], may["code"], may["step"]], ["error", "no-answer", 2]);
check("an answer too many", say({
  seq: 7, type: "case", case: example([{ answer: "may", with: true, by: "P1" }, grant]),
})["code"], "answer-not-asked");
check("an action that isn't there", say({ seq: 8, type: "case", case: example([{ do: [{ do: "dance" }] }]) }), {
  seq: 8, outcome: "unsupported", feature: "action dance",
});
check("a reading that isn't there", say({
  seq: 9, type: "case", case: example([grant], { readings: { "live.others": "sometimes" } }),
})["outcome"], "unsupported");
check("no case at all", say({ seq: 10, type: "case", case: 5 })["code"], "internal");
check("no JSON", respond("{").reply["code"], "bad-line");
check("no request", say({ seq: 11 })["code"], "bad-request");
check("bye", respond('{"seq":12,"type":"bye"}'), { reply: { seq: 12, ok: true }, end: true });

process.stdout.write(failed === 0 ? "protocol: all well\n" : `protocol: ${failed} wrong\n`);
if (failed > 0) process.exitCode = 1;
