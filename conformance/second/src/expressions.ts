// Expressions: docs/conformance.md, section 7. They read a view and change nothing.

import { Fault, Unsupported } from "./form.js";
import type { Expression, Operator } from "./form.js";
import type { Action, Env, Id, Ref, Value, View } from "./state.js";
import {
  bind, card, cards, firedBy, hasWard, isAct, isNewToken, isPlace, isRef, list, momon, opponent, orderOf, ref, rulesOf, same,
  token, tokens, tokensOn, withParts,
} from "./state.js";

const directions = new Set(["North", "East", "South", "West"]);
const elements = new Set(["Fire", "Wood", "Water"]);

export function evaluate(e: Expression, env: Env, view: View): Value {
  if (typeof e === "number" || typeof e === "boolean") return e;
  if (typeof e === "string") return named(e, env);
  const sub = (part: string): Value => evaluate(e[part] as Expression, env, view);
  const args = (): Value[] => (e["args"] as Expression[]).map((a) => evaluate(a, env, view));
  /** What is asked with "before" is asked of the state in which the group was judged. */
  const then = (of: Value): Value => (e["before"] === true && isRef(of) && env.act?.before ? { ...of, at: env.act.before } : of);
  const numbers = (): number[] => args().map(asNumber);
  switch (e.op) {
    case "nothing":
      return null;
    case "name":
      return { t: "name", of: e["of"] as string, name: e["name"] as string };
    case "text":
      return e["text"] as string;
    case "zone":
      return { t: "place", zone: e["zone"] as string };
    case "list":
      return (e["items"] as Expression[]).map((i) => evaluate(i, env, view));
    case "role":
      return role(actionOf(e, env, view), e["role"] as string, env);
    case "attribute": {
      const act = actionOf(e, env, view);
      return act ? attribute(act, e["attribute"] as string, env) : null;
    }
    case "underway": {
      const open = view.state.windows.filter((w) => w.act.kind === e["action"]);
      const last = open[open.length - 1];
      return last ? { t: "act", act: last.act } : null;
    }
    case "hits":
      return env.hits.map((act) => ({ t: "act", act }));
    case "game":
      return ref("game");
    case "get":
      return get(then(sub("of")), e["characteristic"] as string, view);
    case "has":
      return has(then(sub("of")), e["keyword"] as string, view);
    case "tally": {
      const of = then(sub("of"));
      if (!isRef(of)) return 0;
      return tokensOn((of.at ?? view).state, of.id).filter((t) => t.token === e["token"]).length;
    }
    case "is":
      return isOfKind(then(sub("of")), e["kind"] as string, view);
    case "each":
      return fitting(kind(e["kind"] as string, view), e, env, view);
    case "filter":
      return fitting(list(sub("list")), e, env, view);
    case "first":
      return fitting(list(sub("list")), e, env, view)[0] ?? null;
    case "count":
      return fitting(list(sub("list")), e, env, view).length;
    case "any":
      return fitting(list(sub("list")), e, env, view).length > 0;
    case "none":
      return fitting(list(sub("list")), e, env, view).length === 0;
    case "all": {
      const all = list(sub("list"));
      return fitting(all, e, env, view).length === all.length;
    }
    case "sum": {
      const as = (e["as"] as string | undefined) ?? "it";
      const amount = e["amount"] as Expression | undefined;
      return list(sub("list"))
        .map((v) => asNumber(amount === undefined ? v : evaluate(amount, bind(env, [as, v]), view)))
        .reduce((a, b) => a + b, 0);
    }
    case "in": {
      const item = sub("item");
      return list(sub("list")).some((v) => same(v, item));
    }
    case "==": {
      const [a, b] = args();
      return same(a ?? null, b ?? null);
    }
    case "!=": {
      const [a, b] = args();
      return !same(a ?? null, b ?? null);
    }
    case "<":
    case "<=":
    case ">":
    case ">=": {
      const [a = 0, b = 0] = numbers();
      return e.op === "<" ? a < b : e.op === "<=" ? a <= b : e.op === ">" ? a > b : a >= b;
    }
    case "+":
      return numbers().reduce((a, b) => a + b, 0);
    case "*":
      return numbers().reduce((a, b) => a * b, 1);
    case "-": {
      const [a = 0, b = 0] = numbers();
      return a - b;
    }
    case "least":
      return Math.min(...numbers());
    case "most":
      return Math.max(...numbers());
    case "and":
      return (e["args"] as Expression[]).every((a) => evaluate(a, env, view) === true);
    case "or":
      return (e["args"] as Expression[]).some((a) => evaluate(a, env, view) === true);
    case "not":
      return sub("arg") !== true;
    case "fired": {
      const of = sub("of");
      return isRef(of) ? firedBy(view.state, of.id, e["header"] as string) : 0;
    }
    case "order": {
      const of = sub("of");
      if (!isRef(of)) return [];
      return e["rules"] === true ? rulesOf(view.board, of.id) : orderOf(view.board, of.id, e["characteristic"] as string);
    }
    case "if":
      return sub(sub("condition") === true ? "then" : "else");
    default:
      throw new Unsupported(`operator ${e.op}`);
  }
}

export const holds = (e: Expression | undefined, env: Env, view: View): boolean =>
  e === undefined || evaluate(e, env, view) === true;

export const asNumber = (v: Value): number => (typeof v === "number" ? v : 0);

function named(name: string, env: Env): Value {
  const bound = env.names.get(name);
  if (bound !== undefined) return bound;
  if (name === "self") return env.self;
  if (name === "you") return env.you === null ? null : ref(env.you);
  if (name === "P1" || name === "P2") return ref(name);
  const id = env.labels.get(name);
  if (id === undefined) throw new Fault("no-such-name", `nothing is called ${name} here`);
  return ref(id);
}

function actionOf(e: Operator, env: Env, view: View): Action | null {
  if (e["of"] === undefined) return env.act;
  const of = evaluate(e["of"] as Expression, env, view);
  return isAct(of) ? of.act : null;
}

function role(act: Action | null, name: string, env: Env): Value {
  if (!act) return null;
  if (name === "check" && act.kind === "snatch") return act.check ? { t: "act", act: act.check } : null;
  const value = act.roles[name] ?? null;
  // snatch.conditions-before: what is said of the snatched Momon is read as it was before.
  if (env.rolesBefore && act === env.act && act.before && isRef(value)) return { ...value, at: act.before };
  return value;
}

function attribute(act: Action, name: string, env: Env): Value {
  switch (name) {
    case "ability_of":
      return act.of === null ? null : ref(act.of);
    case "ability_from":
      return act.from === null ? null : ref(act.from);
    case "check":
      return act.check ? { t: "act", act: act.check } : null;
    case "snatched":
      return act.hits.map((hit) => ({ t: "act", act: hit }));
    default:
      return act.attributes[name] ?? role(act, name, env);
  }
}

function has(of: Value, keyword: string, view: View): boolean {
  if (!isRef(of)) return false;
  const at = of.at ?? view;
  if (keyword === "Ward") return hasWard(at.state, of.id);
  return (at.board.abilities.get(of.id) ?? []).flatMap(withParts).some((a) => a.spec.keyword === keyword);
}

function isOfKind(of: Value, name: string, view: View): boolean {
  if (!isRef(of)) return false;
  return kind(name, of.at ?? view).some((v) => isRef(v) && v.id === of.id);
}

/** All objects of a kind, in the order in which they came to be. */
function kind(name: string, view: View): Value[] {
  const s = view.state;
  switch (name) {
    case "Momon":
      return momon(s).map((c) => ref(c.id));
    case "card":
      return cards(s).map((c) => ref(c.id));
    case "player":
      return [ref("P1"), ref("P2")];
    case "token":
      return tokens(s).map((t) => ref(t.id));
    case "game":
      return [ref("game")];
    default:
      return tokens(s).filter((t) => t.token === name).map((t) => ref(t.id));
  }
}

export const objectsOfKind = (name: string, view: View): Id[] => kind(name, view).filter(isRef).map((r) => r.id);

function fitting(items: Value[], e: Operator, env: Env, view: View): Value[] {
  const where = e["where"] as Expression | undefined;
  if (where === undefined) return items;
  const as = (e["as"] as string | undefined) ?? "it";
  return items.filter((v) => holds(where, bind(env, [as, v]), view));
}

function get(of: Value, characteristic: string, present: View): Value {
  if (isNewToken(of)) return characteristic === "kind" ? { t: "name", of: "token", name: of.token } : absent(characteristic);
  if (isPlace(of) || !isRef(of)) return absent(characteristic);
  // Where an object is, is always present fact; the rest is read at the moment of the reference.
  const view = of.at && characteristic !== "zone" && characteristic !== "cell" ? of.at : present;
  // What is reached through it is read at the same moment; players are as they are now.
  const through = (ids: Id[]): Ref[] => ids.map((id) => (of.at ? { t: "ref", id, at: of.at } : ref(id)));
  const s = view.state;
  const o = s.objects.get(of.id);
  if (!o) return absent(characteristic);
  switch (o.kind) {
    case "game":
      return characteristic === "players" ? [ref("P1"), ref("P2")] : absent(characteristic);
    case "player":
      switch (characteristic) {
        case "opponent":
          return ref(opponent(o.id));
        case "momon":
          return momon(s).filter((c) => c.controller === o.id).map((c) => ref(c.id));
        case "hand":
        case "deck": {
          const zone = characteristic === "hand" ? "Hand" : "Deck";
          return cards(s).filter((c) => c.zone === zone && c.owner === o.id).map((c) => ref(c.id));
        }
        default:
          throw new Unsupported(`characteristic ${characteristic} of a player`);
      }
    case "token":
      // Its kind is what it is, and can be asked of a token that is gone.
      if (characteristic === "kind") return { t: "name", of: "token", name: o.token };
      if (o.host === null) return absent(characteristic);
      switch (characteristic) {
        case "host":
          return through([o.host])[0] ?? null;
        case "owner":
        case "controller": {
          const host = card(s, o.host);
          return host ? ref(host[characteristic]) : null;
        }
        default:
          return view.board.values.get(o.id)?.get(characteristic) ?? absent(characteristic);
      }
    case "card":
      if (o.zone === null) return absent(characteristic);
      switch (characteristic) {
        case "owner":
          return ref(o.owner);
        case "controller":
          return ref(o.controller);
        case "zone":
          return { t: "name", of: "zone", name: o.zone };
        case "tokens":
          return through(tokensOn(s, o.id).map((t) => t.id));
        case "marks":
          return through(tokensOn(s, o.id).filter((t) => t.token === "Marking").map((t) => t.id));
        case "ability":
          return (view.board.abilities.get(o.id) ?? []).map((a) => a.key);
        default:
          return view.board.values.get(o.id)?.get(characteristic) ?? absent(characteristic);
      }
  }
}

/** Characteristics of nothing are nothing, 0, false, or the empty list. */
function absent(characteristic: string): Value {
  switch (characteristic) {
    case "power":
    case "worth":
    case "points":
      return 0;
    case "trait":
    case "sight":
    case "mark":
    case "tokens":
    case "marks":
    case "ability":
    case "momon":
    case "hand":
    case "deck":
    case "players":
      return [];
    case "name":
    case "element":
    case "owner":
    case "controller":
    case "zone":
    case "host":
    case "kind":
    case "opponent":
      return null;
    default:
      throw new Unsupported(`characteristic ${characteristic}`);
  }
}

/** What is printed, as a value. */
export function printedValue(characteristic: string, v: unknown): Value {
  const name = (n: string): Value => ({
    t: "name",
    of: characteristic === "element" || elements.has(n) ? "Element" : directions.has(n) ? "Direction" : "Trait",
    name: n,
  });
  if (characteristic === "name") return String(v);
  if (typeof v === "number") return v;
  if (Array.isArray(v)) return v.map((n) => name(String(n)));
  if (typeof v === "string") return name(v);
  return null;
}

/** A value as the answer to a question. */
export function answer(v: Value, view: View): string | number | boolean | null | (string | number | boolean | null)[] {
  if (Array.isArray(v)) return v.map((i) => answer(i, view) as string | number | boolean | null);
  if (v === null || typeof v !== "object") return v;
  switch (v.t) {
    case "name":
      return v.name;
    case "place":
      return v.zone;
    case "token":
      return v.token;
    case "act":
      return v.act.kind;
    case "ref": {
      const c = card(view.state, v.id);
      if (c) return c.label;
      const t = token(view.state, v.id);
      return t ? t.token : v.id;
    }
  }
}
