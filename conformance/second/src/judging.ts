// How an action is judged (docs/conformance.md, section 6): roles, condition, permissions,
// prohibitions, needs, replacements. All of it reads one view and changes nothing.

import type { Operation } from "./form.js";
import { asNumber, holds } from "./expressions.js";
import type { Action, ContinuousEffect, Env, Id, State, Value, View } from "./state.js";
import { bind, card, cards, envOf, hasWard, isName, isNewToken, isPlace, isRef, list, ref, token, tokensOn } from "./state.js";

/** Whose ability an action comes from (live.scope): the player, and the object. */
export interface Speaker {
  of: Id | null;
  from: Id | null;
}
const nobody: Speaker = { of: null, from: null };

/** An operation of a rules effect in force that speaks of an action, and the names under which it does. */
export interface Speaking {
  effect: ContinuousEffect;
  op: Operation;
  key: string;
  env: Env;
}

export interface Verdict {
  refused: "prohibit" | "impossible" | null;
  ward: boolean;
  replacements: Speaking[];
}

export const wardName: Value = { t: "name", of: "keyword", name: "Ward" };

/** P: the stand-in for the Element Advantage Matrix; which bonus it gives is not at hand. */
const beats = new Map([["Fire", "Wood"], ["Wood", "Water"], ["Water", "Fire"]]);
const directions: [string, string, number, number][] = [
  ["North", "South", 0, -1], ["South", "North", 0, 1], ["East", "West", 1, 0], ["West", "East", -1, 0],
];

export function action(
  kind: string,
  roles: Record<string, Value>,
  by: Speaker = nobody,
  attributes: Record<string, Value> = {},
): Action {
  return {
    kind, roles, attributes, of: by.of, from: by.from, check: null, hits: [], before: null, replacedBy: new Set(), extra: {},
  };
}

/** docs/conformance.md, section 6: condition, permissions, prohibitions, needs, replacements. */
export function judge(a: Action, view: View): Verdict {
  a.before = view;
  describeAction(a, view);
  const no = (refused: "prohibit" | "impossible", ward = false): Verdict => ({ refused, ward, replacements: [] });
  if (!rolesFit(a, view)) return no("impossible");
  // 13.2.5, ward.immovable, ward.substitute-is-token: it can't be moved, whatever permits it.
  const moved = a.kind === "move" ? a.roles["object"] : null;
  if (isRef(moved) && token(view.state, moved.id)?.token === "Ward") return no("prohibit");
  const prohibitions = speaking("prohibit", a, view);
  if (!conditionHolds(a, view) && (prohibitions.length > 0 || speaking("permit", a, view).length === 0)) {
    return no("impossible");
  }
  // 13.2.1, ward.no-bypass: nothing gets past a prohibition, whatever permits or requires the action.
  if (prohibitions.length > 0) return no("prohibit", prohibitions.some((p) => p.effect.ward !== null));
  for (const need of needs(a, view)) {
    const verdict = judge(need, view);
    if (verdict.refused) return no(verdict.refused, verdict.ward);
  }
  const replacements = speaking("instead", a, view).filter((r) => !a.replacedBy.has(r.key));
  return { refused: null, ward: false, replacements };
}

/** The rules of that kind in force (layer 5) that speak of the action. */
export function speaking(kind: string, a: Action, view: View): Speaking[] {
  const found: Speaking[] = [];
  for (const { effect, objects } of view.board.rules) {
    effect.spec.ops.forEach((op, i) => {
      if (op.op !== kind || op.action !== a.kind) return;
      const env: Env = { ...envOf(effect, view.state), act: a };
      const as = effect.spec.on?.as ?? "it";
      for (const id of objects ?? [null]) {
        const e = id === null ? env : bind(env, ["it", ref(id)], [as, ref(id)]);
        if (!holds(op.where, e, view)) continue;
        found.push({ effect, op, key: `${effect.key}/${i}`, env: e });
        return;
      }
    });
  }
  return found;
}

/** The attributes that an action has as it is judged. */
export function describeAction(a: Action, view: View): void {
  const s = view.state;
  const controller = (role: string): Value => {
    const v = a.roles[role];
    const c = isRef(v) ? card(s, v.id) : null;
    return c ? ref(c.controller) : null;
  };
  switch (a.kind) {
    case "snatch": {
      const loser = controller("target"), taker = controller("source");
      Object.assign(a.attributes, {
        loser, taker,
        enemy: isRef(loser) && isRef(taker) && loser.id !== taker.id, // snatch.enemy
        direct: a.check === null,
        incite: a.check?.attributes["incite"] === true,
      });
      return;
    }
    case "check":
      a.attributes["incite"] ??= false;
      return;
    case "give":
      a.attributes["giver"] = controller("object");
      return;
    case "move": {
      const what = a.roles["object"], to = a.roles["place"];
      const c = isRef(what) ? card(s, what.id) : null;
      a.attributes["out_of"] = c?.zone ? { t: "name", of: "zone", name: c.zone } : null;
      a.attributes["into"] = isPlace(to) ? { t: "name", of: "zone", name: to.zone } : null;
    }
  }
}

function rolesFit(a: Action, view: View): boolean {
  const s = view.state;
  const cardIn = (role: string): boolean => {
    const v = a.roles[role];
    const c = isRef(v) ? card(s, v.id) : null;
    return c !== null && c.zone !== null;
  };
  const isMomon = (role: string): boolean => {
    const v = a.roles[role];
    return isRef(v) && card(s, v.id)?.zone === "Arena";
  };
  const roleId = (role: string): Id => {
    const v = a.roles[role];
    return isRef(v) ? v.id : "";
  };
  const isToken = (role: string): boolean => (token(s, roleId(role))?.host ?? null) !== null;
  switch (a.kind) {
    case "snatch":
      return isMomon("target") && isMomon("source");
    case "check":
      return isMomon("source");
    case "incite":
      return cardIn("target");
    case "summon":
      return cardIn("object");
    case "give":
      return cardIn("object") && isRef(a.roles["player"]);
    case "move":
      if (isToken("object")) return isRef(a.roles["place"]);
      return cardIn("object") && isPlace(a.roles["place"]);
    case "place":
      return isMomon("host");
    case "remove":
    case "lose":
      return isToken("token");
    case "grant":
      // 13.2.4, ward.regrant: with Ward a further grant has no effect at all.
      return isMomon("object") && !(nameOf(a.roles["keyword"] ?? null) === "Ward" && hasWard(s, roleId("object")));
    default:
      return true;
  }
}

/** The condition of the table; a permission may lift it. */
function conditionHolds(a: Action, view: View): boolean {
  const s = view.state;
  const id = (role: string): Id => {
    const v = a.roles[role];
    return isRef(v) ? v.id : "";
  };
  switch (a.kind) {
    case "snatch":
      return a.check === null || a.check.attributes["sure"] === true || wins(id("source"), id("target"), view);
    case "incite": // incite.gone
      return card(s, id("target"))?.zone === "Arena";
    case "summon":
      return card(s, id("object"))?.zone !== "Arena";
    case "move": {
      const t = token(s, id("object"));
      return !t || (!full(s, id("place"), t.token) && card(s, id("place"))?.zone === "Arena");
    }
    case "place": {
      const t = a.roles["token"];
      return !isNewToken(t) || !full(s, id("host"), t.token);
    }
    case "draw":
      return cards(s).some((c) => c.zone === "Deck" && c.owner === id("player"));
    default:
      return true;
  }
}

/** At most one Marking and one Ward Token lie on an object. */
export function full(s: State, host: Id, kind: string): boolean {
  return (kind === "Marking" || kind === "Ward") && tokensOn(s, host).some((t) => t.token === kind);
}

/** P check: Power, with the Matrix's bonus, is more than the target's Power (final values). */
function wins(source: Id, target: Id, view: View): boolean {
  const read = (id: Id, what: string): Value => view.board.values.get(id)?.get(what) ?? null;
  const element = (id: Id): string => nameOf(read(id, "element"));
  const bonus = beats.get(element(source)) === element(target) ? 1 : 0;
  return asNumber(read(source, "power")) + bonus > asNumber(read(target, "power"));
}

/** What an action needs, judged in the same way: is that refused, so is  */
function needs(a: Action, view: View): Action[] {
  switch (a.kind) {
    case "snatch": // snatch.whole: it needs its change of control
      return [action("give", { object: a.roles["target"] ?? null, player: a.attributes["taker"] ?? null }, a)];
    case "summon": // summon.whole
      return [action("move", { object: a.roles["object"] ?? null, place: { t: "place", zone: "Arena" } }, a)];
    case "grant": { // ward.whole: Ward needs its token, unless one lies there
      const to = a.roles["object"];
      if (!isRef(to) || nameOf(a.roles["keyword"] ?? null) !== "Ward" || full(view.state, to.id, "Ward")) return [];
      return [action("place", { token: { t: "token", token: "Ward" }, host: to }, a)];
    }
    default:
      return [];
  }
}

/** P check: enemies next to it in a direction of its Sight, whose Mark has the facing one. */
export function seen(a: Action, view: View): Value[] {
  const v = a.roles["source"];
  const source = isRef(v) ? card(view.state, v.id) : null;
  if (!source?.cell) return [];
  const [x = 0, y = 0] = source.cell;
  const names = (id: Id, what: string): string[] =>
    list(view.board.values.get(id)?.get(what) ?? []).map(nameOf);
  return cards(view.state)
    .filter((c) => c.zone === "Arena" && c.controller !== source.controller && c.cell !== null)
    .filter((c) =>
      directions.some(
        ([name, facing, dx, dy]) =>
          c.cell?.[0] === x + dx &&
          c.cell[1] === y + dy &&
          names(source.id, "sight").includes(name) &&
          names(c.id, "mark").includes(facing),
      ),
    )
    .map((c) => ref(c.id));
}

const nameOf = (v: Value): string => (isName(v) ? v.name : "");
