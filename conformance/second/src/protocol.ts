// What the adapter says (docs/conformance.md, section 14): one JSON object a line, one answer for
// each. Kept apart from stdin and stdout, so that it can be tried out without a process.

import { Fault, Unsupported } from "./form.js";
import type { Case } from "./form.js";
import { AtStep, runCase } from "./run.js";

const hello = {
  protocol: 1,
  name: "momon-second",
  version: "0.1.0",
  rules: "built-in",
  features: [
    "choices", "conditions", "decisions", "finally", "groups", "keywords", "limits", "lists", "loops", "moments", "order",
    "permissions", "readings", "recorded", "refused-rule", "replacements", "steps", "timestamps",
  ],
  questions: [
    "value", "has", "count", "controller", "owner", "zone", "happened", "refused", "refused-rule", "legal", "fired", "order",
    "decision", "holds",
  ],
  // It reads every open point as the suite does, and plays the other side where a case names it.
  readings: {},
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
    return { reply: { seq: null, ok: false, code: "bad-line", message: String(error) }, end: false };
  }
  const seq = typeof message["seq"] === "number" ? message["seq"] : null;
  switch (message["type"]) {
    case "hello": {
      const protocols = message["protocols"];
      if (!Array.isArray(protocols) || !protocols.includes(1)) {
        return { reply: { seq, ok: false, code: "protocol", message: "it speaks protocol 1" }, end: false };
      }
      return { reply: { seq, ...hello }, end: false };
    }
    case "rules":
      return { reply: { seq, ok: false, code: "rules", message: "the rules are built in" }, end: false };
    case "case":
      return { reply: { seq, ...play(message["case"]) }, end: false };
    case "bye":
      return { reply: { seq, ok: true }, end: true };
    default:
      return { reply: { seq, ok: false, code: "bad-request", message: "hello, rules, case or bye" }, end: false };
  }
}

/** Every case starts from an empty state, so a case that goes wrong leaves nothing behind. */
function play(c: unknown): Record<string, unknown> {
  try {
    return { outcome: "done", answers: runCase(c as Case) };
  } catch (error) {
    const { step, cause } = error instanceof AtStep ? error : { step: 0, cause: error };
    if (cause instanceof Unsupported) return { outcome: "unsupported", feature: cause.feature };
    if (cause instanceof Fault) return { outcome: "error", code: cause.code, step, message: cause.message };
    return { outcome: "error", code: "internal", step, message: String(cause) };
  }
}
