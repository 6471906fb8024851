// What the adapter says: one JSON object a line, one answer for each. Kept apart from stdin and
// stdout, so that it can be tried out without a process.

import { Fault, Unsupported } from "./form.js";
import type { Answer, Case } from "./form.js";
import { chosenReadings } from "./game.js";
import { runCase } from "./run.js";

const hello = {
  protocol: 1,
  name: "momon-second",
  version: "0.1.0",
  language: "TypeScript",
  rules: "built in",
  editions: ["1.1.0"],
  tiers: ["core", "extended"],
  features: [
    "choices", "conditions", "decisions", "finally", "groups", "keywords", "limits", "lists", "loops", "moments", "order",
    "permissions", "readings", "recorded", "refused-rule", "replacements", "steps", "timestamps",
  ],
  questions: [
    "value", "has", "count", "controller", "owner", "zone", "happened", "refused", "refused-rule", "legal", "fired", "order",
    "decision", "holds",
  ],
  readings: chosenReadings,
};

export interface Reply {
  seq: number | null;
  [member: string]: unknown;
}

/** The answer to one line; `end` after `bye`. */
export function respond(line: string): { reply: Reply; end: boolean } {
  let message: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new Error("not an object");
    message = parsed as Record<string, unknown>;
  } catch (error) {
    return { reply: { seq: null, outcome: "error", code: "bad-line", message: String(error) }, end: false };
  }
  const seq = typeof message["seq"] === "number" ? message["seq"] : null;
  switch (message["type"]) {
    case "hello":
      return { reply: { seq, type: "hello", ...hello }, end: false };
    case "rules":
      return { reply: { seq, type: "rules", outcome: "unsupported", feature: "rules" }, end: false };
    case "case":
      return { reply: { seq, type: "case", ...play(message["case"]) }, end: false };
    case "bye":
      return { reply: { seq, type: "bye" }, end: true };
    default:
      return { reply: { seq, outcome: "error", code: "bad-request", message: "hello, rules, case or bye" }, end: false };
  }
}

/** Every case starts from an empty state, so a case that goes wrong leaves nothing behind. */
function play(c: unknown): Record<string, unknown> {
  try {
    const answers: { step: number; answer: Answer }[] = [];
    for (const [step, answer] of runCase(c as Case)) answers.push({ step, answer });
    return { outcome: "done", answers };
  } catch (error) {
    if (error instanceof Unsupported) return { outcome: "unsupported", feature: error.feature };
    if (error instanceof Fault) return { outcome: "error", code: error.code, message: error.message };
    return { outcome: "error", code: "internal", message: String(error) };
  }
}
