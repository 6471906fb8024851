// One case from start to end.

import type { Answer, Case } from "./form.js";
import { Game } from "./game.js";
import { ask } from "./questions.js";

/** What went wrong, and in which step of the script. */
export class AtStep extends Error {
  constructor(
    readonly step: number,
    override readonly cause: unknown,
  ) {
    super(`step ${step}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** The answers to the questions of a case, by step. */
export function runCase(c: Case): { step: number; answer: Answer }[] {
  const game = new Game(c);
  const answers: { step: number; answer: Answer }[] = [];
  for (const s of c.script) {
    try {
      if (s.ask) answers.push({ step: s.step, answer: ask(game, s.ask) });
      else game.step(s);
    } catch (error) {
      throw new AtStep(s.step, error);
    }
  }
  game.finish();
  return answers;
}
