// What there is: objects, effects, windows. A state is plain data; a View is one moment of it
// together with the board that 11.6 gives for it.

import type { Ability, Effect, Instruction, Moment, StartObject, Trigger } from "./form.js";

export type Id = string;

/** A value of an expression. Text is a string; names, objects and actions are marked. */
export type Value = null | boolean | number | string | Ref | Name | Act | Place | NewToken | Value[];

/** An object. With `at` its characteristics are read in that earlier moment. */
export interface Ref {
  t: "ref";
  id: Id;
  at?: View;
}
export interface Name {
  t: "name";
  of: string;
  name: string;
}
export interface Act {
  t: "act";
  act: Action;
}
/** A zone as a place to go to. */
export interface Place {
  t: "place";
  zone: string;
}
/** The token of a `place` that is being judged: it is not there yet, but has a kind. */
export interface NewToken {
  t: "token";
  token: string;
}

/** An action, as it is judged and as it happened. */
export interface Action {
  kind: string;
  roles: Record<string, Value>;
  attributes: Record<string, Value>;
  /** Whose ability, and which object's, it comes from; null for none. */
  of: Id | null;
  from: Id | null;
  /** The Check that made this attempt. */
  check: Action | null;
  /** The Check of whose attempt this is a part. */
  partOf?: Action | null;
  /** Of a Check: the attempts that succeeded. */
  hits: Action[];
  /** The state in which it was judged. */
  before: View | null;
  /** Replacements that it has gone through already: each once for one action. */
  replacedBy: Set<string>;
  /** Other parts of the instruction: `count`, the keyword, a granted effect's end. */
  extra: { count?: number; token?: string; keyword?: Ability; until?: Moment[]; env?: Env };
}

/** What names mean where an expression stands. */
export interface Env {
  names: Map<string, Value>;
  labels: Map<string, Id>;
  self: Ref | null;
  you: Id | null;
  /** The action that `role` and `attribute` speak of. */
  act: Action | null;
  hits: Action[];
  /** Roles of `act` are read in the state before its group (under On Snatch, behind `among`). */
  rolesBefore: boolean;
}

export interface Player {
  kind: "player";
  id: Id;
}
export interface Card {
  kind: "card";
  id: Id;
  born: number;
  label: string;
  owner: Id;
  controller: Id;
  /** null: this Object is no more; the card has become a new one (3.1.2). */
  zone: string | null;
  cell: number[] | null;
  print: StartObject;
  abilities: AbilityInstance[];
}
export interface Token {
  kind: "token";
  id: Id;
  born: number;
  token: string;
  host: Id | null;
  /** 13.2.5: lost or unavailable, and a substitute marker stands for it. */
  substitute: boolean;
}
export interface Game {
  kind: "game";
  id: Id;
}
export type Obj = Player | Card | Token | Game;

/** One ability on one Object. A keyword has its own abilities as `parts`. */
export interface AbilityInstance {
  key: string;
  card: Id;
  spec: Ability;
  parts: AbilityInstance[];
  granted: boolean;
  labels: Map<string, Id>;
  /** What names meant in the effect that granted it. */
  names: Map<string, Value>;
}

/** A continuous effect: made by an instruction, of a static ability, or of Ward. */
export interface ContinuousEffect {
  key: string;
  spec: Effect;
  names: Map<string, Value>;
  labels: Map<string, Id>;
  self: Id | null;
  /** For an effect of a static ability: null; "you" is its Source's controller at the time. */
  you: Id | null;
  ability: { top: AbilityInstance; instance: AbilityInstance } | null;
  /** The objects that an instruction chose, fixed as it made the effect. */
  objects: Id[] | null;
  /** A Timestamp that the case states. */
  stated: number | null;
  /** When it was made: `next` counts turns that begin after this. */
  made: number;
  /** 13.2.2: set for Ward's own effect. */
  ward: { object: Id; noted: Id } | null;
}

export interface Window {
  act: Action;
  began: number;
}

export interface Later {
  when: Moment;
  body: Instruction[];
  env: Env;
  of: Id | null;
  from: Id | null;
  made: number;
}

export interface State {
  objects: Map<Id, Obj>;
  effects: ContinuousEffect[];
  /** 11.6.4: Timestamps by effect key. */
  stamps: Map<string, number>;
  /** Which effects have granted Ward to which objects already (statement ward.once-per-effect). */
  acted: Set<string>;
  labels: Map<string, Id>;
  windows: Window[];
  /** "object header" to how often it has triggered since the start. */
  fired: Map<string, number>;
}

/** A rules effect in force (layer 5). */
export interface Rule {
  effect: ContinuousEffect;
  objects: Id[] | null;
}

export interface Board {
  /** Current characteristics of cards and Marking Tokens. */
  values: Map<Id, Map<string, Value>>;
  abilities: Map<Id, AbilityInstance[]>;
  /** Abilities that something added, whether or not they were taken away again. */
  added: Map<string, AbilityInstance>;
  /** "object characteristic" to what changed it, in order: the labels by effect. */
  changedBy: Map<string, Map<string, string>>;
  rules: Rule[];
  /** Effects that apply here and have no Timestamp yet. */
  begun: ContinuousEffect[];
  /** Keys of the effects that apply. */
  applied: Set<string>;
  /** Ward as an ability given or taken by an effect: acts on the game, not on the board. */
  wardGiven: { effect: ContinuousEffect; object: Id }[];
  wardTaken: { effect: ContinuousEffect; object: Id }[];
}

export interface View {
  state: State;
  board: Board;
}

export function copyState(s: State): State {
  const objects = new Map<Id, Obj>();
  for (const [id, o] of s.objects) objects.set(id, { ...o });
  return {
    objects,
    effects: s.effects.map((e) => ({ ...e })),
    stamps: new Map(s.stamps),
    acted: new Set(s.acted),
    labels: new Map(s.labels),
    windows: [...s.windows],
    fired: new Map(s.fired),
  };
}

export function copyBoard(b: Board): Board {
  const values = new Map<Id, Map<string, Value>>();
  for (const [id, m] of b.values) values.set(id, new Map(m));
  const abilities = new Map<Id, AbilityInstance[]>();
  for (const [id, l] of b.abilities) abilities.set(id, [...l]);
  return {
    values,
    abilities,
    added: new Map(b.added),
    changedBy: new Map([...b.changedBy].map(([k, by]) => [k, new Map(by)])),
    rules: [...b.rules],
    begun: [...b.begun],
    applied: new Set(b.applied),
    wardGiven: [...b.wardGiven],
    wardTaken: [...b.wardTaken],
  };
}

export const opponent = (player: Id): Id => (player === "P1" ? "P2" : "P1");

/** How often abilities of that object under that header have triggered. */
export const firedBy = (s: State, id: Id, header: string): number => s.fired.get(`${id} ${header}`) ?? 0;

/** The labels of what changed a characteristic, in the order in which they were applied. */
export const orderOf = (b: Board, id: Id, characteristic: string): string[] => [
  ...(b.changedBy.get(`${id} ${characteristic}`)?.values() ?? []),
];

/** The labels of the rules effects in force that belong to the object, likewise. */
export const rulesOf = (b: Board, id: Id): string[] =>
  b.rules
    .filter(({ effect, objects }) => (objects === null ? effect.ability !== null && effect.self === id : objects.includes(id)))
    .flatMap(({ effect }) => effect.spec.label ?? []);

export const card = (s: State, id: Id): Card | null => {
  const o = s.objects.get(id);
  return o?.kind === "card" ? o : null;
};
export const token = (s: State, id: Id): Token | null => {
  const o = s.objects.get(id);
  return o?.kind === "token" ? o : null;
};
export const cards = (s: State): Card[] =>
  [...s.objects.values()].filter((o): o is Card => o.kind === "card" && o.zone !== null).sort((a, b) => a.born - b.born);
/** Momon: the cards in the Arena, in the order in which they came to be. */
export const momon = (s: State): Card[] => cards(s).filter((c) => c.zone === "Arena");
export const tokens = (s: State): Token[] =>
  [...s.objects.values()].filter((o): o is Token => o.kind === "token" && o.host !== null).sort((a, b) => a.born - b.born);
export const tokensOn = (s: State, host: Id): Token[] => tokens(s).filter((t) => t.host === host);

/**
 * 13.2.3, ward.has: a Momon has Ward exactly while its Ward Token (or a substitute) is on it and
 * its Ward effect has not expired. No layer gives or takes it.
 */
export function hasWard(s: State, id: Id): boolean {
  return (
    s.effects.some((e) => e.ward?.object === id) &&
    tokensOn(s, id).some((t) => t.token === "Ward") &&
    card(s, id)?.zone === "Arena"
  );
}

/** The turn player; P1 until a turn is under way (docs/conformance.md, section 3). */
export function turnPlayer(s: State): Id {
  const turn = s.windows.find((w) => w.act.kind === "turn");
  const player = turn?.act.roles["player"];
  return isRef(player) ? player.id : "P1";
}

/**
 * Printed abilities become instances. 13.2 and ward.once-per-effect: a printed line "Ward" stands
 * for "On Summon, this Momon gains Ward".
 */
export function instance(
  key: string,
  owner: Id,
  spec: Ability,
  granted: boolean,
  labels: Map<string, Id>,
  names: Map<string, Value> = new Map(),
): AbilityInstance {
  let inner: Ability[] = spec.keyword !== undefined ? (spec.abilities ?? []) : [];
  if (spec.keyword === "Ward") {
    const gain: Trigger = {
      header: "On Summon",
      body: [{ do: "grant", keyword: { keyword: "Ward" }, roles: { object: "self" } }],
    };
    inner = [gain];
  }
  return {
    key,
    card: owner,
    spec,
    granted,
    labels,
    names,
    parts: inner.map((a, i) => instance(`${key}.${i}`, owner, a, granted, labels, names)),
  };
}

/** An ability with all that it stands for. */
export const withParts = (a: AbilityInstance): AbilityInstance[] => [a, ...a.parts.flatMap(withParts)];

export function effectOf(top: AbilityInstance, a: AbilityInstance): ContinuousEffect | null {
  if (!a.spec.static) return null;
  return {
    key: `ability ${a.key}`,
    spec: a.spec.static,
    names: a.names,
    labels: a.labels,
    self: a.card,
    you: null,
    ability: { top, instance: a },
    objects: null,
    stated: null,
    made: 0,
    ward: null,
  };
}

export const isRef = (v: Value | undefined): v is Ref => typeof v === "object" && v !== null && "t" in v && v.t === "ref";
export const isName = (v: Value | undefined): v is Name => typeof v === "object" && v !== null && "t" in v && v.t === "name";
export const isAct = (v: Value | undefined): v is Act => typeof v === "object" && v !== null && "t" in v && v.t === "act";
export const isPlace = (v: Value | undefined): v is Place => typeof v === "object" && v !== null && "t" in v && v.t === "place";
export const isNewToken = (v: Value | undefined): v is NewToken =>
  typeof v === "object" && v !== null && "t" in v && v.t === "token";
export const ref = (id: Id): Ref => ({ t: "ref", id });
export const list = (v: Value): Value[] => (Array.isArray(v) ? v : v === null ? [] : [v]);

/** Whether two values are the same: objects by identity, lists of names in any order. */
export function same(a: Value, b: Value): boolean {
  return print(a) === print(b);
}

/** A value as text that tells it from every other value. */
export function print(v: Value): string {
  if (Array.isArray(v)) {
    const items = v.map(print);
    if (v.length > 0 && v.every(isName)) items.sort();
    return `[${items.join(" ")}]`;
  }
  if (v === null || typeof v === "boolean" || typeof v === "number") return String(v);
  if (typeof v === "string") return JSON.stringify(v);
  switch (v.t) {
    case "ref":
      return `@${v.id}`;
    case "name":
      return `#${v.of}:${v.name}`;
    case "place":
      return `place:${v.zone}`;
    case "token":
      return `new:${v.token}`;
    case "act":
      return `act:${actNumber(v.act)}`;
  }
}

const numbers = new WeakMap<Action, number>();
let nextNumber = 0;
/** Actions are the same only if they are one and the same action. */
function actNumber(a: Action): number {
  let n = numbers.get(a);
  if (n === undefined) numbers.set(a, (n = nextNumber++));
  return n;
}

export function emptyEnv(labels: Map<string, Id>): Env {
  return { names: new Map(), labels, self: null, you: null, act: null, hits: [], rolesBefore: false };
}
export const bind = (env: Env, ...pairs: [string, Value][]): Env => ({ ...env, names: new Map([...env.names, ...pairs]) });

/** The names of an effect; of a static ability "you" is the Source's controller (you.fixed). */
export function envOf(e: ContinuousEffect, s: State): Env {
  const you = e.you ?? (e.ability && e.self ? (card(s, e.self)?.controller ?? null) : null);
  return { ...emptyEnv(e.labels), names: e.names, self: e.self === null ? null : ref(e.self), you };
}

/** timestamp.controller: whose effect it is. */
export const controllerOf = (e: ContinuousEffect, s: State): Id | null => envOf(e, s).you;
