// One case from start to end: the answers to its questions, by step.

import type { Answer, Case } from "./form.js";
import { Game } from "./game.js";
import { ask } from "./questions.js";

export function runCase(c: Case): Map<number, Answer> {
  const game = new Game(c);
  const answers = new Map<number, Answer>();
  c.script.forEach((s, i) => {
    if (s.ask) answers.set(s.step ?? i + 1, ask(game, s.ask));
    else game.step(s);
  });
  game.finish();
  return answers;
}
