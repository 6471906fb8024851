// Questions: docs/conformance.md, section 12.

import { Unsupported } from "./form.js";
import type { Answer, Expression, Instruction, Question } from "./form.js";
import { answer, asNumber, evaluate, holds } from "./expressions.js";
import type { Game } from "./game.js";
import { judge } from "./judging.js";
import { bind, emptyEnv, firedBy, isName, isRef, list, orderOf, rulesOf, tokensOn } from "./state.js";
import type { Action, Env, Id, Value } from "./state.js";

export function ask(game: Game, q: Question): Answer {
  const view = game.view;
  const env = emptyEnv(game.state.labels);
  const of = (): Value => evaluate(q.of ?? { op: "nothing" }, env, view);
  const id = (): Id => {
    const v = of();
    return isRef(v) ? v.id : "";
  };
  const get = (what: string, v: Value = of()): Value =>
    evaluate({ op: "get", of: "asked", characteristic: what }, bind(env, ["asked", v]), view);
  const fits = (a: Action): boolean => a.kind === q.action && holds(q.where, { ...env, act: a }, view);
  switch (q.question) {
    case "value": {
      if (q.token !== undefined) {
        const t = tokensOn(view.state, id()).find((x) => x.token === q.token);
        return answer(get(q.characteristic ?? "", t ? { t: "ref", id: t.id } : null), view);
      }
      return answer(get(q.characteristic ?? ""), view);
    }
    case "has":
      if (q.keyword !== undefined) return evaluate({ op: "has", of: q.of ?? "", keyword: q.keyword }, env, view) === true;
      return list(get(q.characteristic ?? "")).some((v) => isName(v) && v.name === q.name);
    case "count":
      if (q.token !== undefined) return tokensOn(view.state, id()).filter((t) => t.token === q.token).length;
      if (q.list !== undefined) {
        const parts: Record<string, unknown> = { list: q.list };
        if (q.as !== undefined) parts["as"] = q.as;
        if (q.where !== undefined) parts["where"] = q.where;
        return asNumber(evaluate({ op: "count", ...parts }, env, view));
      }
      return list(get(q.characteristic ?? "")).length;
    case "controller":
    case "owner":
    case "zone":
      return answer(get(q.question), view);
    case "happened":
      return game.happened.some(fits);
    case "refused":
      return game.refusals.find((r) => fits(r.act))?.how ?? "no";
    case "refused-rule": {
      if (q.rule !== "13.2.1") throw new Unsupported(`refused-rule ${q.rule}`);
      return game.refusals.some((r) => fits(r.act) && r.ward);
    }
    case "legal":
      return legal(game, q.action as Instruction, env);
    case "fired":
      return firedBy(game.state, id(), q.header ?? "");
    case "order":
      return q.rules ? rulesOf(view.board, id()) : orderOf(view.board, id(), q.characteristic ?? "");
    case "decision": {
      const by = q.by === undefined ? null : evaluate(q.by as Expression, env, view);
      return game.decisions.some(
        (d) => (q.name === undefined || d.name === q.name) && (by === null || (isRef(by) && by.id === d.by)),
      );
    }
    case "holds":
      return holds(q.condition, env, view);
    default:
      throw new Unsupported(`question ${q.question}`);
  }
}

function legal(game: Game, i: Instruction, env: Env): Answer {
  const acts = game.actionsOf(i, { env, of: null, from: null, replaced: null }, game.view);
  for (const a of acts) {
    const verdict = judge(a, game.view);
    if (verdict.refused) return verdict.refused;
  }
  return acts.length > 0 ? "yes" : "impossible";
}
