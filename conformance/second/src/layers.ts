// 11.6.1 to 11.6.3: what the current characteristics are. Everything is worked out from the start
// each time (11.6.5, live.always); dependency is judged by trial, on a copy of the board.

import { Unsupported } from "./form.js";
import type { On, Operation } from "./form.js";
import type { AbilityInstance, Board, ContinuousEffect, Env, Id, State, Value, View } from "./state.js";
import {
  bind, card, cards, controllerOf, copyBoard, effectOf, envOf, hasWard, instance, isRef, list, print, ref, same, tokens,
  turnPlayer, withParts,
} from "./state.js";
import { asNumber, evaluate, holds, objectsOfKind, printedValue } from "./expressions.js";

export interface Readings {
  /** layers.same-objects */
  sameObjects: "go_on" | "read_afresh";
  /** dependency.present */
  dependency: "judged_after_each" | "judged_once";
  /** live.others */
  others: "looks_again" | "keeps_cards";
  /** timestamp.condition */
  condition: "when_true" | "when_created";
}

/** 11.6.1, layers.order. Layer 1 is where the board starts: see `base`. */
const layers = [2, 3, 4, 5] as const;
type Layer = (typeof layers)[number];

/** layers.set, layers.add, layers.modify, layers.rules: what an operation does decides its layer. */
function layerOf(op: Operation): Layer {
  switch (op.op) {
    case "set":
      return 2;
    case "add":
    case "remove":
    case "strip":
      return 3;
    case "raise":
    case "lower":
      return 4;
    case "prohibit":
    case "permit":
    case "require":
    case "instead":
      return 5;
    default:
      throw new Unsupported(`operation ${op.op}`);
  }
}

/**
 * What an effect found in its first layer. `objects` is null for an effect that changes the rules
 * alone. "off": its condition was false there, so it does nothing in this computation.
 */
type Progress = Map<string, { objects: Id[] | null } | "off">;

export function compute(state: State, readings: Readings): Board {
  const board = base(state);
  const progress: Progress = new Map();
  for (const layer of layers) {
    applyLayer(layer, board, progress, state, readings);
    if (layer === 4) floor(board, state);
  }
  return board;
}

/** Layer 1 (layers.base): what is printed, with errata in its place. */
function base(state: State): Board {
  const board: Board = {
    values: new Map(), abilities: new Map(), added: new Map(), changedBy: new Map(), rules: [], begun: [],
    applied: new Set(), wardGiven: [], wardTaken: [],
  };
  for (const c of cards(state)) {
    const values = new Map<string, Value>([
      ["name", c.print.name], ["element", null], ["power", 0], ["worth", 0], ["trait", []], ["sight", []], ["mark", []],
    ]);
    for (const printed of [c.print.printed, c.print.errata ?? {}]) {
      for (const [k, v] of Object.entries(printed)) values.set(k, printedValue(k, v));
    }
    board.values.set(c.id, values);
    board.abilities.set(c.id, [...c.abilities]);
  }
  for (const t of tokens(state)) {
    if (t.token !== "Marking" || t.host === null) continue;
    board.values.set(t.id, new Map([["points", board.values.get(t.host)?.get("worth") ?? 0]]));
  }
  return board;
}

/** floor.once: the floor 0 of Point Value comes once, after the modifiers. */
function floor(board: Board, state: State): void {
  for (const t of tokens(state)) {
    const values = board.values.get(t.id);
    if (values) values.set("points", Math.max(0, asNumber(values.get("points") ?? 0)));
  }
}

/** Every effect that there is: made ones, and those of abilities that are printed or were added. */
export function effectsIn(board: Board, state: State): ContinuousEffect[] {
  const all = [...state.effects];
  for (const c of cards(state)) {
    const tops: AbilityInstance[] = [...c.abilities, ...[...board.added.values()].filter((a) => a.card === c.id)];
    for (const top of tops) {
      for (const part of withParts(top)) {
        const effect = effectOf(top, part);
        if (effect && c.zone === (effect.spec.in ?? part.spec.in ?? "Arena")) all.push(effect);
      }
    }
  }
  return all;
}

/** 11.6.2 and 11.6.3, one layer. */
function applyLayer(layer: Layer, board: Board, progress: Progress, state: State, readings: Readings): void {
  const done = new Set<string>();
  /** Pairs of a ring that is settled: they wait for each other by age alone. */
  const settled = new Set<string>();
  const judged = new Map<string, boolean>();
  for (;;) {
    const left = effectsIn(board, state).filter((e) => !done.has(e.key) && e.spec.ops.some((o) => layerOf(o) === layer));
    if (left.length === 0) return;
    byAge(left, state);

    // dependency.first: A depends on B if applying B changes what A's outcome would be. It is tried.
    const n = left.length;
    const waits: boolean[][] = left.map(() => Array<boolean>(n).fill(false));
    const now = left.map((e) => outcome(e, layer, board, progress, state, readings));
    for (let b = 0; b < n; b++) {
      const B = left[b] as ContinuousEffect;
      const after = copyBoard(board);
      if (n > 1) apply(B, layer, after, new Map(progress), state, readings);
      for (let a = 0; a < n; a++) {
        const A = left[a] as ContinuousEffect;
        if (a === b) continue;
        if (settled.has(pair(A, B))) {
          row(waits, a)[b] = b < a;
          continue;
        }
        const key = `${A.key} on ${B.key}`;
        const known = readings.dependency === "judged_once" ? judged.get(key) : undefined;
        const depends = known ?? outcome(A, layer, after, progress, state, readings) !== now[a];
        judged.set(key, depends);
        row(waits, a)[b] = depends;
      }
    }

    // dependency.ring: those that wait for each other, directly or by way of others.
    const reach = waits.map((r) => [...r]);
    for (let k = 0; k < n; k++)
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) if (row(reach, i)[k] && row(reach, k)[j]) row(reach, i)[j] = true;
    const ring = (a: number, b: number): boolean => a !== b && row(reach, a)[b] === true && row(reach, b)[a] === true;

    // Inside a ring the younger waits for the older; towards the outside dependencies count.
    const free = left.findIndex((_, a) =>
      left.every((_, b) => a === b || (ring(a, b) ? b > a : row(waits, a)[b] !== true)),
    );
    const chosen = left[free];
    if (!chosen) throw new Error("every effect waits for another");

    // dependency.present: as the first member of a ring is applied, the ring is settled.
    const members = left.filter((_, b) => b === free || ring(free, b));
    for (const x of members) for (const y of members) if (x !== y) settled.add(pair(x, y));

    apply(chosen, layer, board, progress, state, readings);
    done.add(chosen.key);
  }
}

const row = (matrix: boolean[][], i: number): boolean[] => matrix[i] as boolean[];
const pair = (a: ContinuousEffect, b: ContinuousEffect): string => [a.key, b.key].sort().join(" & ");

/** 11.6.3, timestamp.order: oldest first. What has not begun yet comes last, the turn player's first. */
function byAge(effects: ContinuousEffect[], state: State): void {
  const age = (e: ContinuousEffect): number => e.stated ?? state.stamps.get(e.key) ?? Infinity;
  const side = (e: ContinuousEffect): number => (controllerOf(e, state) === turnPlayer(state) ? 0 : 1);
  const place = new Map(effects.map((e, i) => [e.key, i]));
  effects.sort((a, b) => {
    const x = age(a), y = age(b);
    if (x !== y) return x < y ? -1 : 1;
    return side(a) - side(b) || (place.get(a.key) ?? 0) - (place.get(b.key) ?? 0);
  });
}

/**
 * Whether an effect applies, what it affects and what it does (dependency.existence,
 * dependency.amount). What it does is the change, not the value that results (dependency.change).
 */
function outcome(
  e: ContinuousEffect, layer: Layer, board: Board, progress: Progress, state: State, readings: Readings,
): string {
  const found = find(e, board, progress, state, readings);
  if (found === null || found === "off") return "does not apply";
  const view: View = { state, board };
  const changes = (found.objects ?? [null]).map((id) => {
    const env = forObject(e, id, state);
    return `${id}: ${e.spec.ops.filter((o) => layerOf(o) === layer).map((o) => change(o, env, view)).join(", ")}`;
  });
  return changes.join("; ");
}

function change(op: Operation, env: Env, view: View): string {
  switch (op.op) {
    case "set":
      return `set ${op.characteristic} ${print(evaluate(op.to ?? 0, env, view))}`;
    case "raise":
    case "lower":
      return `${op.op} ${op.characteristic} ${print(evaluate(op.by ?? 0, env, view))}`;
    case "add":
    case "remove":
      if (op.keyword) return `${op.op} ${op.keyword.keyword} ${print((op.keyword.arguments ?? []).map((a) => evaluate(a, env, view)))}`;
      return `${op.op} ${op.characteristic} ${print(evaluate(op.value ?? 0, env, view))}`;
    default:
      return op.op;
  }
}

/**
 * Whether the effect applies at this point, and to what. null: not (yet).
 * layers.same-objects: what it found in its first layer serves all its layers, whether or not its
 * ability is still there; with the other reading each layer looks afresh.
 */
function find(
  e: ContinuousEffect, board: Board, progress: Progress, state: State, readings: Readings,
): { objects: Id[] | null } | "off" | null {
  const before = progress.get(e.key);
  if (before !== undefined && readings.sameObjects === "go_on") return before;
  // dependency.existence, layers.removed-rules: an ability that is not there does nothing.
  if (e.ability) {
    const there = board.abilities.get(e.ability.top.card) ?? [];
    if (!there.some((a) => a.key === e.ability?.top.key)) return null;
  }
  if (e.ward && !hasWard(state, e.ward.object)) return null;
  const view: View = { state, board };
  const env = envOf(e, state);
  if (!holds(e.spec.while, env, view)) return readings.sameObjects === "go_on" ? "off" : null;
  return { objects: e.spec.on ? objectsOf(e, e.spec.on, env, view) : null };
}

/** What an effect's operations change: chosen objects stay, descriptions look at the present. */
function objectsOf(e: ContinuousEffect, on: On, env: Env, view: View): Id[] {
  if (e.objects) return e.objects;
  return describe(on, env, view);
}

export function describe(on: On, env: Env, view: View): Id[] {
  if (on.self) return env.self ? [env.self.id] : [];
  const ids = (v: Value): Id[] => list(v).filter(isRef).map((r) => r.id);
  if (on.objects) return on.objects.flatMap((o) => ids(evaluate(o, env, view)));
  if (on.all !== undefined) return ids(evaluate(on.all, env, view));
  if (on.each !== undefined) {
    return objectsOfKind(on.each, view).filter((id) =>
      holds(on.where, bind(env, ["it", ref(id)], [on.as ?? "it", ref(id)]), view),
    );
  }
  throw new Unsupported("effects on actions");
}

function forObject(e: ContinuousEffect, id: Id | null, state: State): Env {
  const env = envOf(e, state);
  if (id === null) return env;
  return bind(env, ["it", ref(id)], [e.spec.on?.as ?? "it", ref(id)]);
}

function apply(
  e: ContinuousEffect, layer: Layer, board: Board, progress: Progress, state: State, readings: Readings,
): void {
  const found = find(e, board, progress, state, readings);
  if (found === null) return;
  progress.set(e.key, found);
  if (found === "off") return;
  // timestamp.first: here it applies; without a Timestamp it has just begun.
  if (!board.applied.has(e.key) && e.stated === null && !state.stamps.has(e.key)) board.begun.push(e);
  board.applied.add(e.key);
  if (layer === 5) {
    board.rules.push({ effect: e, objects: found.objects });
    return;
  }
  // All its amounts are read before any of its changes is made.
  const view: View = { state, board: copyBoard(board) };
  for (const id of found.objects ?? []) {
    const values = board.values.get(id);
    if (!values) continue;
    const env = forObject(e, id, state);
    e.spec.ops.forEach((op, i) => {
      if (layerOf(op) !== layer) return;
      if (op.characteristic === "ability") changeAbilities(e, op, i, id, board, env, view, state);
      else changeValue(op, values, env, view);
      const label = e.spec.label;
      if (label === undefined || op.characteristic === undefined) return;
      if (op.characteristic !== "ability" && !values.has(op.characteristic)) return;
      const key = `${id} ${op.characteristic}`;
      const by = board.changedBy.get(key) ?? new Map<string, string>();
      board.changedBy.set(key, by.set(e.key, label)); // several operations of one effect are one entry
    });
  }
}

function changeValue(op: Operation, values: Map<string, Value>, env: Env, view: View): void {
  const name = op.characteristic ?? "";
  const old = values.get(name);
  if (old === undefined) return;
  const amount = (): number => asNumber(evaluate(op.by ?? 0, env, view));
  const names = (): Value[] => list(evaluate(op.value ?? 0, env, view));
  switch (op.op) {
    case "set": {
      const to = evaluate(op.to ?? 0, env, view);
      values.set(name, Array.isArray(old) ? distinct(list(to)) : to);
      return;
    }
    case "add":
      values.set(name, distinct([...list(old), ...names()]));
      return;
    case "remove": {
      const gone = names();
      values.set(name, list(old).filter((v) => !gone.some((g) => same(g, v))));
      return;
    }
    case "strip":
      values.set(name, Array.isArray(old) ? [] : null);
      return;
    case "raise":
      values.set(name, asNumber(old) + amount());
      return;
    case "lower":
      values.set(name, asNumber(old) - amount());
  }
}

const distinct = (items: Value[]): Value[] => items.filter((v, i) => items.findIndex((w) => same(v, w)) === i);

function changeAbilities(
  e: ContinuousEffect, op: Operation, index: number, id: Id, board: Board, env: Env, view: View, state: State,
): void {
  const there = board.abilities.get(id);
  if (!there || !card(state, id)) return;
  if (op.op === "strip") {
    board.abilities.set(id, []); // 13.2.3: Ward is not among them.
    return;
  }
  const keyword = op.keyword;
  if (!keyword) throw new Unsupported(`${op.op} of an ability without a keyword`);
  if (keyword.keyword === "Ward") {
    // 13.2: Ward is created and removed as an event, once; see Game.settle.
    (op.op === "add" ? board.wardGiven : board.wardTaken).push({ effect: e, object: id });
    if (op.op === "remove") board.abilities.set(id, there.filter((a) => a.spec.keyword !== "Ward"));
    return;
  }
  if (op.op === "add") {
    const a = instance(`${id}+${e.key}/${index}`, id, { ...keyword }, true, e.labels, e.names);
    board.added.set(a.key, a);
    board.abilities.set(id, [...there, a]);
    return;
  }
  const wanted = keyword.arguments?.map((a) => evaluate(a, env, view));
  const hit = (a: AbilityInstance): boolean =>
    a.spec.keyword === keyword.keyword &&
    (wanted === undefined ||
      print(wanted) === print((a.spec.arguments ?? []).map((x) => evaluate(x, { ...env, names: a.names }, view))));
  // With arguments those that have them are taken; without, all by that name.
  board.abilities.set(id, there.filter((a) => !hit(a)));
}
