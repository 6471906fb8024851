// The game: actions and how they are judged, Ward (13.2), Incite (13.1), headers (13.3),
// Timestamps (11.6.4), groups (11.6.5), and the script that drives it.

import { Fault, Unsupported } from "./form.js";
import type { Case, Effect, Expression, Instruction, Limit, Moment, Step, Trigger } from "./form.js";
import { asNumber, evaluate, holds } from "./expressions.js";
import { action, describeAction, full, judge, seen, speaking, wardName } from "./judging.js";
import type { Speaker, Speaking } from "./judging.js";
import { compute, describe, effectsIn } from "./layers.js";
import type { Readings } from "./layers.js";
import type {
  AbilityInstance, Action, ContinuousEffect, Env, Id, Later, Ref, State, Token, Value, View, Window,
} from "./state.js";
import {
  bind, card, cards, controllerOf, copyState, emptyEnv, envOf, hasWard, instance, isAct, isNewToken, isPlace, isRef, list,
  opponent, print, ref, same, token, tokensOn, turnPlayer, withParts,
} from "./state.js";

/** How an action was refused. `ward`: a prohibition that carries out 13.2.1 was among the reasons. */
export interface Refusal {
  act: Action;
  how: "prohibit" | "impossible";
  ward: boolean;
}

/** Under which names a body is done, and whose ability it is. */
interface Context extends Speaker {
  env: Env;
  /** In the body of a replacement: what it replaces. */
  replaced: Action | null;
  /** It is a step of the script. */
  script?: true;
  /** A label in it means what bears it now, also in the middle of it: the script, and what triggers. */
  follows?: true;
  /** Which ability it is, for `limits`: two of the same words are two. */
  key?: string;
}

/** Actions that are judged in one state and carried out together (group.before, group.after). */
interface Group {
  before: View;
  todo: (() => void)[];
  /** Done after that: the attempts of Checks. */
  late: (() => void)[];
  happened: Action[];
  /** Several actions: they happen in one moment. */
  together: boolean;
}

interface Queued {
  body: Instruction[];
  ctx: Context;
}

interface Prepared {
  name: string;
  with: Expression | Expression[];
  by: Id | null;
  taken: boolean;
}

/** An ability that waits for something, and whose it is. */
interface Watcher {
  trigger: Trigger;
  key: string;
  env: Env;
  source: Id | null;
}

export class Game {
  state: State;
  view: View;
  readings: Readings;
  /** Of the last step: what happened, what was refused, which decisions were raised. */
  happened: Action[] = [];
  refusals: Refusal[] = [];
  decisions: { name: string; by: Id | null }[] = [];

  private clock = 0;
  private made = 0;
  private queue: Queued[] = [];
  private laters: Later[] = [];
  private prepared: Prepared[] = [];
  private used = new Map<string, number>();
  /** The window that is closing: it is no longer under way. */
  private closing: Window | null = null;
  /** Cards that became new Objects, in that order. */
  private renamed: [Id, Id][] = [];
  /** When cards last left the Arena. */
  private left = new Map<Id, number>();
  /** How many steps at the top are answers. */
  private ahead = 0;
  /** Names that steps of the script recorded or chose; the script is one body. */
  private names = new Map<string, Value>();

  constructor(c: Case) {
    this.readings = readingsOf(c);
    this.state = {
      objects: new Map(), effects: [], stamps: new Map(), acted: new Set(), labels: new Map(), windows: [], fired: new Map(),
    };
    for (const id of ["P1", "P2"]) this.state.objects.set(id, { kind: "player", id });
    this.state.objects.set("game", { kind: "game", id: "game" });
    for (const o of c.start) {
      const id = this.newId();
      this.state.labels.set(o.object, id);
      this.state.objects.set(id, {
        kind: "card", id, born: this.made, label: o.object, owner: o.owner, controller: o.controller, zone: o.zone,
        cell: o.cell ?? null, print: o, abilities: [],
      });
    }
    for (const o of cards(this.state)) this.giveAbilities(o.id);
    this.view = this.look();
    // Answers at the top are for what begins before the first step.
    for (this.ahead = 0; c.script[this.ahead]?.answer !== undefined; this.ahead++) this.prepare(c.script[this.ahead] as Step);
    // Nothing that starts in the Arena has arrived; what Ward that is there from the start does has happened.
    const happened: Action[] = [];
    this.settle(happened);
    for (const h of happened) h.before ??= this.view;
    this.after(happened, "done");
    this.resolveAll();
  }

  // ---------------------------------------------------------------- the script

  /** Does one step of the script; questions are for questions.ts. */
  step(s: Step): void {
    if (s.answer !== undefined) {
      if (s.step > this.ahead) this.prepare(s);
      return;
    }
    const env = this.scriptEnv();
    this.happened = [];
    this.refusals = [];
    this.decisions = [];
    if (s.do) {
      const as = s.as === undefined ? { ...this.plain(), env } : this.asThe(evaluate(s.as, env, this.view), env);
      const ctx: Context = { ...as, script: true, follows: true };
      this.names = this.run(s.do, ctx, null)?.names ?? this.names;
      this.resolveAll();
    } else if (s.open !== undefined) {
      this.open(s.open, s.of === undefined ? null : this.player(evaluate(s.of, env, this.view)));
    } else if (s.close !== undefined) {
      this.close(s.close);
    } else throw new Unsupported("a step of an unknown form");
  }

  private scriptEnv(): Env {
    return { ...emptyEnv(this.state.labels), names: this.names };
  }

  private prepare(s: Step): void {
    const by = s.by === undefined ? null : this.player(evaluate(s.by, this.scriptEnv(), this.view));
    this.prepared.push({ name: s.answer ?? "", with: s.with ?? [], by, taken: false });
  }

  /** An answer that nobody asked for is an error of the case. */
  finish(): void {
    const left = this.prepared.find((p) => !p.taken);
    if (left) throw new Fault("answer-not-asked", `nobody asked for the answer to ${left.name}`);
  }

  private plain(): Context {
    return { env: emptyEnv(this.state.labels), of: null, from: null, replaced: null };
  }

  /** As by an ability of that object (its controller of this moment is "you"), or of that player. */
  private asThe(who: Value, outer: Env): Context {
    if (!isRef(who)) throw new Fault("nobody", "as: there is no such object or player");
    const c = card(this.state, who.id);
    const env: Env = { ...outer, self: c ? ref(c.id) : null, you: c ? c.controller : who.id };
    return { env, of: env.you, from: c ? c.id : null, replaced: null };
  }

  private player(v: Value): Id | null {
    return isRef(v) ? v.id : null;
  }

  // ---------------------------------------------------------------- windows

  private open(window: string, player: Id | null): void {
    const act = action(window, player === null ? {} : { player: ref(player) });
    act.before = this.view;
    this.state.windows.push({ act, began: ++this.clock });
    const happened: Action[] = [];
    this.settle(happened);
    this.happened.push(act, ...happened);
    this.after([act], "start");
    this.after(happened, "done");
    this.resolveAll();
  }

  private close(action: string): void {
    const index = this.state.windows.findLastIndex((w) => w.act.kind === action);
    const window = this.state.windows[index];
    if (!window) throw new Fault("not-open", `${action} is not under way`);
    this.closing = window;
    // What lasts until its end ends with it, as one change (ends.together), after all that the
    // window caused (ward.expires-when). What triggers from the end is judged in the state after
    // that (trigger.state), so it finds Ward gone.
    this.endEffects(
      (e) =>
        (e.ward !== null && this.wardExpires(e, window)) ||
        (e.spec.until ?? []).some((m) => this.comes(m, "end", window.act, envOf(e, this.state), e.made)),
    );
    window.act.before = this.view; // what left while it was under way has not seen its end (trigger.state)
    this.after([window.act], "end");
    this.resolveAll();
    this.state.windows.splice(index, 1);
    const happened: Action[] = [];
    this.settle(happened);
    this.happened.push(...happened);
    this.after(happened, "done");
    this.resolveAll();
    this.closing = null;
  }

  /**
   * 13.2.2, ward.clock: Ward lasts until the end of the next turn of the noted player's opponent;
   * the turn in progress at creation never counts.
   */
  private wardExpires(e: ContinuousEffect, window: Window): boolean {
    if (!e.ward || window.act.kind !== "turn") return false;
    const player = window.act.roles["player"];
    return isRef(player) && player.id === opponent(e.ward.noted) && window.began > e.made;
  }

  // ---------------------------------------------------------------- ends

  /** Ends effects as one change, then recomputes, then does their `finally` (ends.together). */
  private endEffects(ends: (e: ContinuousEffect) => boolean): void {
    const ending = this.state.effects.filter(ends);
    if (ending.length === 0) return;
    const before = this.view;
    const happened: Action[] = [];
    this.state.effects = this.state.effects.filter((e) => !ending.includes(e));
    for (const e of ending) {
      this.state.stamps.delete(e.key); // timestamp.anew: what starts later is another effect
      if (e.ward) this.wardEnds(e, true, happened);
    }
    this.settle(happened);
    for (const h of happened) h.before = before;
    this.happened.push(...happened);
    this.after(happened, "done");
    for (const e of ending) {
      const env = envOf(e, this.state);
      if (e.spec.finally) this.run(e.spec.finally, { env, of: env.you, from: e.self, replaced: null }, null);
    }
  }

  /** 13.2.5: with Ward its token (or the substitute) goes. */
  private wardEnds(e: ContinuousEffect, takeToken: boolean, happened: Action[]): void {
    if (!e.ward) return;
    this.state.effects = this.state.effects.filter((x) => x !== e && x.key !== e.key);
    const host = ref(e.ward.object);
    if (takeToken) {
      for (const t of tokensOn(this.state, e.ward.object).filter((x) => x.token === "Ward")) {
        t.host = null;
        happened.push(action("remove", { token: ref(t.id), host }));
      }
    }
    happened.push(action("lapse", { keyword: wardName, host }));
  }

  // ---------------------------------------------------------------- settling: 11.6.4, 11.6.5

  private look(): View {
    const state = copyState(this.state);
    return { state, board: compute(state, this.readings) };
  }

  /** live.always: works everything out anew after a change. What Ward does by itself joins `happened`. */
  private settle(happened: Action[]): void {
    for (let round = 0; ; round++) {
      if (round > 100) throw new Fault("endless", "the state does not come to rest");
      this.view = this.look();
      const { board } = this.view;
      // timestamp.condition: what has a condition begins as it is first true, all else as it exists.
      const ready = new Set(board.begun.map((e) => e.key));
      const begun = effectsIn(board, this.view.state).filter(
        (e) =>
          e.stated === null && !this.state.stamps.has(e.key) &&
          (this.readings.condition === "when_created" || e.spec.while === undefined || ready.has(e.key)),
      );
      if (begun.length > 0) {
        // What an effect gives begins after the effect that gives it.
        const gives = (e: ContinuousEffect): boolean => begun.some((b) => e.ability?.top.key.includes(`+${b.key}/`));
        this.beginTogether(begun.filter((e) => !gives(e)));
        continue;
      }
      // timestamp.suppressed: a granted ability that is no longer granted begins anew next time;
      // a printed one that is only suppressed keeps its Timestamp.
      const known = new Set(effectsIn(board, this.view.state).map((e) => e.key));
      for (const key of this.state.stamps.keys()) if (!known.has(key) && key.includes("+")) this.state.stamps.delete(key);

      // An effect that gives Ward acts once for an Object (ward.once-per-effect).
      const given = board.wardGiven.find((g) => !this.state.acted.has(`${g.effect.key} ${g.object}`));
      if (given) {
        this.state.acted.add(`${given.effect.key} ${given.object}`);
        const env = envOf(given.effect, this.view.state);
        const group: Group = { before: this.view, todo: [], late: [], happened, together: false };
        const by: Speaker = { of: env.you, from: given.effect.self };
        this.attempt(action("grant", { object: ref(given.object), keyword: wardName }, by), group);
        for (const f of group.todo) f();
        continue;
      }
      // ward.loses: an effect that says "loses Ward" removes the token.
      const taken = board.wardTaken.find((t) => hasWard(this.state, t.object));
      if (taken) {
        const e = this.state.effects.find((x) => x.ward?.object === taken.object);
        if (e) this.wardEnds(e, true, happened);
        continue;
      }
      return;
    }
  }

  /**
   * 11.6.4, timestamp.together, timestamp.turn-player-older: of effects that begin together the turn
   * player orders theirs, then the other player; the turn player's are older.
   */
  private beginTogether(begun: ContinuousEffect[]): void {
    const s = this.view.state;
    const first = turnPlayer(s);
    const sides: (Id | null)[] = [first, opponent(first), null];
    for (const side of sides) {
      let mine = begun.filter((e) => controllerOf(e, s) === side);
      // Ward's prohibition is the same in any order, so nobody is asked where it stands (ward.stamp).
      const ofWard = mine.filter((e) => e.ward !== null);
      mine = mine.filter((e) => e.ward === null);
      if (side !== null && mine.length > 1) mine = this.ordered(mine, side);
      for (const e of [...mine, ...ofWard]) this.state.stamps.set(e.key, ++this.clock);
    }
  }

  /**
   * The order that the player gives effects that begin together: the prepared answer that names just
   * these. Without one the order makes no difference, and they keep the order in which they came to be.
   */
  private ordered(mine: ContinuousEffect[], by: Id): ContinuousEffect[] {
    const named = (label: string): ContinuousEffect | undefined => mine.find((e) => e.spec.label === label);
    const answers = this.prepared.filter((p) => !p.taken && p.name === "order" && (p.by === null || p.by === by));
    for (const p of answers) {
      const order = (list(p.with as never) as unknown as string[]).map(named);
      if (order.length !== mine.length || new Set(order).size !== mine.length || order.includes(undefined)) continue;
      p.taken = true;
      this.decisions.push({ name: "order", by });
      return order as ContinuousEffect[];
    }
    if (this.seenWith(mine) !== this.seenWith([...mine].reverse())) {
      throw new Fault("no-answer", `the script has no answer to the decision order of ${by}`);
    }
    return mine;
  }

  /** What everything would come to with these effects in that order. */
  private seenWith(order: ContinuousEffect[]): string {
    const state = copyState(this.state);
    order.forEach((e, i) => state.stamps.set(e.key, this.clock + 1 + i));
    const board = compute(state, this.readings);
    const values = [...board.values].map(([id, of]) => [id, ...[...of].map(([name, v]) => `${name} ${print(v)}`)]);
    const abilities = [...board.abilities].map(([id, of]) => [id, ...of.map((a) => a.key).sort()]);
    return JSON.stringify([values, abilities]);
  }

  // ---------------------------------------------------------------- decisions

  /** Takes the first prepared answer that fits the decision's name and player. */
  private decide(name: string, by: Id | null, raw = false, env: Env = emptyEnv(this.state.labels)): unknown {
    this.decisions.push({ name, by });
    const p = this.prepared.find((x) => !x.taken && x.name === name && (x.by === null || x.by === by));
    if (!p) throw new Fault("no-answer", `the script has no answer to the decision ${name} of ${by}`);
    p.taken = true;
    if (raw) return list(p.with as never);
    return Array.isArray(p.with)
      ? p.with.map((w) => evaluate(w, { ...env, labels: this.state.labels }, this.view))
      : evaluate(p.with, { ...env, labels: this.state.labels }, this.view);
  }

  // ---------------------------------------------------------------- instructions

  /** Does a body; what its names mean at its end. null: a choice out of nothing left out its rest. */
  private run(body: Instruction[], ctx: Context, group: Group | null): Env | null {
    let c = ctx;
    let upTo = this.renamed.length;
    for (const i of body) {
      // 3.1.2: in a body under way a name goes along with a card that became a new Object.
      for (; upTo < this.renamed.length; upTo++) {
        const [was, now] = this.renamed[upTo] as [Id, Id];
        const labels = new Map([...c.env.labels].map(([label, id]) => [label, id === was ? now : id]));
        const names = new Map([...c.env.names].map(([name, v]) => [name, isRef(v) && v.id === was ? ref(now) : v]));
        c = { ...c, env: { ...c.env, labels, names } };
      }
      if (c.follows) c = { ...c, env: { ...c.env, labels: this.state.labels } };
      const view = group?.before ?? this.view;
      const ev = (e: Expression): Value => evaluate(e, c.env, view);
      switch (i.do) {
        case "effect":
          if (i.effect) this.makeEffect(i.effect, c, view);
          if (!group) this.commit(this.newGroup(false));
          break;
        case "as":
          this.run(i.body ?? [], { ...c, ...this.asThe(ev(i.as ?? "self"), c.env), replaced: c.replaced }, group);
          break;
        case "together":
          if (group) this.run(i.body ?? [], c, group);
          else {
            const g = this.newGroup(true);
            this.run(i.body ?? [], c, g);
            this.commit(g);
          }
          break;
        case "if":
          this.run((ev(i.condition ?? false) === true ? i.then : i.else) ?? [], c, group);
          break;
        case "for": {
          let items = list(ev(i.list ?? { op: "nothing" }));
          if (i.ordered_by !== undefined && items.length > 1) {
            const order = list(this.decide("order", this.player(ev(i.ordered_by))) as Value);
            if (order.length !== items.length || !items.every((x) => order.some((y) => same(x, y)))) {
              throw new Fault("bad-answer", `order: not the same ${items.length}`);
            }
            items = order;
          }
          for (const item of items) this.run(i.body ?? [], { ...c, env: bind(c.env, [i.name ?? "it", item]) }, group);
          break;
        }
        case "repeat": {
          const times = asNumber(ev(i.times ?? 0));
          if (times > 1000) throw new Fault("endless", `${times} times is too often for a case`);
          for (let n = 0; n < times; n++) this.run(i.body ?? [], c, group);
          break;
        }
        case "record": // live.record: the value of this moment stays.
          c = { ...c, env: bind(c.env, [i.name ?? "", ev(i.value ?? 0)]) };
          break;
        case "choose": {
          const chosen = this.choose(i, c, view);
          if (chosen === undefined) return null;
          c = { ...c, env: bind(c.env, [i.name ?? "", chosen]) };
          break;
        }
        case "may": {
          const by = this.player(ev(i.by ?? "you"));
          const key = `may ${c.key} ${JSON.stringify(i)}`;
          if (!this.within(key, i.limits, c.env)) break;
          const first = i.body?.[0];
          const [wanted] = first && known.has(first.do) ? this.actionsOf(first, c, view) : [];
          // What is required and can be done is no choice.
          if ((wanted && this.required(wanted, view)) || this.decide("may", by) === true) {
            this.count(key, c.env.act);
            this.run(i.body ?? [], c, group);
          }
          break;
        }
        case "later":
          if (i.when) this.later({ when: i.when, body: i.body ?? [], env: c.env, of: c.of, from: c.from, made: ++this.clock });
          break;
        case "proceed":
          this.proceed(i, c, group);
          break;
        default:
          this.doAction(i, c, group);
      }
      // In the script what follows from an instruction is done before the next one.
      if (c.script && !group) this.resolveAll();
    }
    return c.env;
  }

  private choose(i: Instruction, c: Context, view: View): Value | undefined {
    const name = i.name ?? "";
    let from = list(evaluate(i.from ?? { op: "nothing" }, c.env, view));
    const wanted = i.for;
    if (wanted) {
      // Only what the action could be done to is offered (ward.attempted: a warded Momon is not able).
      from = from.filter((v) => {
        const acts = this.actionsOf(wanted, { ...c, env: bind(c.env, [name, v]) }, view);
        return acts.length > 0 && acts.every((a) => judge(a, view).refused === null);
      });
      const required = from.filter((v) =>
        this.actionsOf(wanted, { ...c, env: bind(c.env, [name, v]) }, view).some((a) => this.required(a, view)),
      );
      if (required.length > 0) from = required;
    }
    const by = this.player(evaluate(i.by ?? "you", c.env, view));
    const several = i.least !== undefined || i.most !== undefined;
    if (from.length === 0) return undefined;
    if (several) {
      const least = Math.min(asNumber(evaluate(i.least ?? 0, c.env, view)), from.length);
      const most = i.most === undefined ? from.length : asNumber(evaluate(i.most, c.env, view));
      if (least >= from.length) return from;
      const chosen = list(this.decide(name, by) as Value);
      const offered = chosen.every((x) => from.some((y) => same(x, y)));
      if (!offered || chosen.length < least || chosen.length > most) throw new Fault("bad-answer", `${name}: that is not offered`);
      return chosen;
    }
    if (from.length === 1) return from[0];
    const chosen = list(this.decide(name, by) as Value)[0] ?? null;
    if (!from.some((f) => same(f, chosen))) throw new Fault("bad-answer", `${name}: that is not offered`);
    return chosen;
  }

  /** Whether a requirement in force speaks of the action, and it can be done. */
  private required(a: Action, view: View): boolean {
    return judge(a, view).refused === null && speaking("require", a, view).length > 0;
  }

  /** Makes a continuous effect; what it names is fixed now (you.fixed, live.others). */
  private makeEffect(spec: Effect, c: Context, view: View): ContinuousEffect {
    const env = { ...c.env, labels: new Map(c.env.labels) };
    const e: ContinuousEffect = {
      key: `made ${this.newId()}`, spec, names: env.names, labels: env.labels, self: env.self?.id ?? null, you: env.you,
      ability: null, objects: null, stated: spec.timestamp === undefined ? null : asNumber(evaluate(spec.timestamp, env, view)),
      made: ++this.clock, ward: null,
    };
    const on = spec.on;
    const onlyRules = spec.ops.every((o) => ["prohibit", "permit", "require", "instead"].includes(o.op));
    if (on && (on.objects || on.all !== undefined)) e.objects = describe(on, env, view);
    // live.filter and live.points are normative for rules effects and modifiers of a Point Value;
    // live.others has another reading for the rest.
    const points = spec.ops.some((o) => o.characteristic === "points");
    if (on?.each !== undefined && this.readings.others === "keeps_cards" && !onlyRules && !points) {
      e.objects = describe(on, env, view);
    }
    this.state.effects.push(e);
    return e;
  }

  // ---------------------------------------------------------------- actions

  /** The actions that an instruction asks for: several tokens are several actions. */
  actionsOf(i: Instruction, c: Context, view: View): Action[] {
    if (!known.has(i.do)) throw new Unsupported(`action ${i.do}`);
    const roles: Record<string, Value> = {};
    for (const [k, e] of Object.entries(i.roles ?? {})) roles[k] = evaluate(e, c.env, view);
    const attributes: Record<string, Value> = {};
    for (const [k, e] of Object.entries(i.with ?? {})) attributes[k] = evaluate(e, c.env, view);
    for (const s of i.still ?? []) {
      const who = roles[s.role];
      const env = bind(c.env, [s.as, who ?? null]);
      const fits = holds({ op: "is", of: s.as, kind: s.kind }, env, view) && holds(s.where, env, view);
      if (!fits) return []; // incite.gone, ward.found: chosen by a description that no longer fits
    }
    const make = (r: Record<string, Value>): Action => action(i.do, r, c, { ...attributes });
    const count = i.count === undefined ? null : asNumber(evaluate(i.count, c.env, view));
    const host = roles["host"];
    if (i.do === "place" && i.token !== undefined) {
      const kind = i.token;
      return Array.from({ length: count ?? 1 }, () => make({ ...roles, token: { t: "token", token: kind } }));
    }
    if (i.do === "remove" && i.token !== undefined) {
      const there = isRef(host) ? tokensOn(view.state, host.id).filter((t) => t.token === i.token) : [];
      if (there.length === 0) return [make({ ...roles, token: { t: "token", token: i.token } })];
      return there.slice(0, count ?? there.length).map((t) => make({ ...roles, token: ref(t.id) }));
    }
    if (i.do === "remove") {
      const t = roles["token"];
      const on = isRef(t) ? token(view.state, t.id)?.host : null;
      return [make(on ? { ...roles, host: ref(on) } : roles)];
    }
    if (i.do === "grant" && i.keyword) {
      const a = make({ ...roles, keyword: { t: "name", of: "keyword", name: i.keyword.keyword } });
      a.extra = { keyword: { ...i.keyword }, env: c.env };
      if (i.until) a.extra.until = i.until;
      return [a];
    }
    return [make(roles)];
  }

  private doAction(i: Instruction, c: Context, group: Group | null): void {
    const g = group ?? this.newGroup(false);
    const actions = this.actionsOf(i, c, g.before);
    if (actions.length > 1) g.together = true;
    for (const a of actions) this.attempt(a, g);
    if (!group) this.commit(g);
  }

  private newGroup(together: boolean): Group {
    return { before: this.view, todo: [], late: [], happened: [], together };
  }

  /** Judges an action in the group's state; what is not refused is noted to be carried out. */
  private attempt(a: Action, g: Group): boolean {
    const verdict = judge(a, g.before);
    if (verdict.refused) {
      this.refusals.push({ act: a, how: verdict.refused, ward: verdict.ward });
      return false;
    }
    const replacement = this.pick(verdict.replacements, a);
    if (replacement) {
      a.replacedBy.add(replacement.key);
      const env = { ...replacement.env, act: a };
      this.run(replacement.op.body ?? [], { env, of: env.you, from: replacement.effect.self, replaced: a }, g);
      return false;
    }
    if (a.kind === "check") this.check(a, g);
    else g.todo.push(() => this.carryOut(a, g));
    return true;
  }

  private proceed(i: Instruction, c: Context, group: Group | null): void {
    const old = c.replaced;
    if (!old) throw new Fault("nothing-replaced", "proceed outside of a replacement");
    const g = group ?? this.newGroup(false);
    const a: Action = { ...old, roles: { ...old.roles }, attributes: { ...old.attributes }, hits: [], before: null };
    for (const [k, e] of Object.entries(i.roles ?? {})) a.roles[k] = evaluate(e, c.env, g.before);
    for (const [k, e] of Object.entries(i.with ?? {})) a.attributes[k] = evaluate(e, c.env, g.before);
    this.attempt(a, g);
    if (!group) this.commit(g);
  }

  /** P authority: of several replacements the controller of what is affected picks one. */
  private pick(options: Speaking[], a: Action): Speaking | null {
    if (options.length <= 1) return options[0] ?? null;
    const affected = a.roles["target"] ?? a.roles["object"] ?? a.roles["host"] ?? a.roles["source"] ?? null;
    const by = isRef(affected) ? (card(this.state, affected.id)?.controller ?? affected.id) : null;
    const label = list(this.decide("replace", by, true) as never)[0];
    return options.find((o) => o.effect.spec.label === label) ?? null;
  }

  /** Carries out a group, works everything out anew, then sees what follows (group.after). */
  private commit(g: Group): void {
    for (const f of g.todo) f();
    for (const f of g.late) f();
    const own = g.happened.length;
    this.settle(g.happened);
    for (const h of g.happened) h.before ??= g.before;
    this.happened.push(...g.happened);
    const happened = g.happened;
    this.endEffects((e) => {
      const env = envOf(e, this.state);
      return (e.spec.until ?? []).some((m) => happened.some((h) => this.comes(m, "done", h, env, e.made)));
    });
    for (const moment of moments(happened, g.together ? own : 0)) this.after(moment, "done");
  }

  // ---------------------------------------------------------------- carrying out

  /** A Snatch Check: its attempts are one group, judged before control changes (group.before). */
  private check(a: Action, g: Group): void {
    const targets = a.roles["targets"] === undefined ? seen(a, g.before) : list(a.roles["targets"]);
    const attempts: Group = { ...g, todo: g.late };
    for (const target of targets) {
      const snatch = action("snatch", { target, source: a.roles["source"] ?? null }, a);
      snatch.check = a;
      this.attempt(snatch, attempts);
    }
    this.whole(a, g); // it has happened even if all attempts failed
  }

  /** An action that leads to others has happened after them. */
  private whole(a: Action, g: Group): void {
    const happens = (): void => void g.happened.push(a);
    if (g.together) happens();
    else g.late.push(happens);
  }

  private carryOut(a: Action, g: Group): void {
    const s = this.state;
    const id = (role: string): Id => {
      const v = a.roles[role];
      return isRef(v) ? v.id : "";
    };
    const part = (kind: string, roles: Record<string, Value>): Action => {
      const p = action(kind, roles, a);
      describeAction(p, g.before);
      p.before = g.before;
      return p;
    };
    // What it needs was there as the group was judged; an action before it in the group may have
    // taken it away.
    const needed = a.kind === "snatch" ? a.roles["target"] : a.kind === "summon" ? a.roles["object"] : undefined;
    if (isRef(needed)) {
      const zone = card(s, needed.id)?.zone ?? null;
      if (zone === null || (zone === "Arena") !== (a.kind === "snatch")) {
        this.refusals.push({ act: a, how: "impossible", ward: false });
        return;
      }
    }
    switch (a.kind) {
      case "snatch": {
        // Control of the target goes to the controller of the source for good (control.no-layer).
        // snatch.replaced: what is done instead of that leaves the Snatch as it is.
        const give = part("give", { object: a.roles["target"] ?? null, player: a.attributes["taker"] ?? null });
        a.check?.hits.push(a);
        give.partOf = a.check;
        const inner: Group = { ...g, todo: [] };
        this.attempt(give, inner);
        for (const f of inner.todo) f();
        g.happened.push(a);
        return;
      }
      case "give":
        this.control(a, g);
        return;
      case "summon": {
        const move = part("move", { object: a.roles["object"] ?? null, place: { t: "place", zone: "Arena" } });
        const object = this.moveCard(move, g);
        a.roles["object"] = ref(object);
        // summon.trigger: it receives its Marking Token as it completes, unless a rule stops or
        // replaces that. Judged once it is in the Arena, as only then there is something to put it on.
        if (!g.together) this.settle(g.happened); // a moment of its own
        const inner: Group = { ...g, before: g.together ? this.look() : this.view, todo: [] };
        this.attempt(action("place", { token: { t: "token", token: "Marking" }, host: ref(object) }, a), inner);
        for (const f of inner.todo) f();
        if (full(s, object, "Marking")) a.extra.token = "Marking";
        g.happened.push(a);
        return;
      }
      case "move": {
        const t = token(s, id("object"));
        if (t) {
          t.host = id("place");
          g.happened.push(a);
        } else this.moveCard(a, g);
        return;
      }
      case "place":
        this.putToken(a, g);
        return;
      case "remove": {
        const t = token(s, id("token"));
        if (t) this.takeToken(t, a, g);
        return;
      }
      case "lose": {
        // 13.2.5, ward.substitute: a lost token is no removal; a substitute stands for it.
        const t = token(s, id("token"));
        if (t) t.substitute = true;
        g.happened.push(a);
        return;
      }
      case "grant":
        this.grant(a, g);
        return;
      case "draw": {
        const top = cards(s).find((c) => c.zone === "Deck" && c.owner === id("player"));
        if (top) top.zone = "Hand";
        g.happened.push(a);
        return;
      }
      case "incite": {
        // 13.1.1, incite.check, incite.source: a new Check with the target as its Source. 13.1.2: it
        // is no Summon, so nothing else happens here. incite.whose: the ability goes along.
        const roles: Record<string, Value> = { source: a.roles["target"] ?? null };
        if (a.roles["targets"] !== undefined) roles["targets"] = a.roles["targets"];
        const check = part("check", roles);
        check.attributes = { incite: true, sure: a.attributes["sure"] ?? false };
        const inner: Group = { ...g, todo: [] };
        this.attempt(check, inner);
        for (const f of inner.todo) f();
        this.whole(a, g);
        return;
      }
      default:
        throw new Unsupported(`action ${a.kind}`);
    }
  }

  private control(a: Action, g: Group): void {
    const object = a.roles["object"], player = a.roles["player"];
    const c = isRef(object) ? card(this.state, object.id) : null;
    if (c && isRef(player)) c.controller = player.id;
    g.happened.push(a);
  }

  /** Moves a card. In the Arena it is a new Object (3.1.2); out of it nothing goes along (P leaving). */
  private moveCard(a: Action, g: Group): Id {
    const s = this.state;
    const what = a.roles["object"], to = a.roles["place"];
    const c = isRef(what) ? card(s, what.id) : null;
    if (!c || !isPlace(to)) return "";
    const from = c.zone;
    g.happened.push(a);
    if (from === to.zone) return c.id;
    if (from === "Arena") {
      this.left.set(c.id, ++this.clock);
      // 13.2.5, ward.leaves: Ward ends at once, and so does all else that was on it.
      for (const e of s.effects.filter((x) => x.ward?.object === c.id)) this.wardEnds(e, false, g.happened);
      for (const t of tokensOn(s, c.id)) t.host = null;
      for (const e of s.effects) if (e.objects) e.objects = e.objects.filter((o) => o !== c.id);
      for (const key of s.stamps.keys()) if (key.startsWith(`ability ${c.id}/`)) s.stamps.delete(key);
      c.controller = c.owner;
      c.cell = null;
    }
    if (to.zone !== "Arena") {
      c.zone = to.zone;
      return c.id;
    }
    c.zone = null; // 3.1.2: the Object that it was is gone, and what named that finds nothing
    for (const e of s.effects) if (e.objects) e.objects = e.objects.filter((o) => o !== c.id);
    const id = this.newId();
    this.renamed.push([c.id, id]);
    s.objects.set(id, { ...c, id, born: this.made, zone: "Arena", abilities: [] });
    s.labels = new Map(s.labels).set(c.label, id);
    this.giveAbilities(id);
    a.roles["object"] = ref(id);
    return id;
  }

  private putToken(a: Action, g: Group): void {
    const kind = a.roles["token"], host = a.roles["host"];
    if (!isNewToken(kind) || !isRef(host) || full(this.state, host.id, kind.token)) return;
    if (card(this.state, host.id)?.zone !== "Arena") return; // it left in the same group
    const id = this.newId();
    this.state.objects.set(id, { kind: "token", id, born: this.made, token: kind.token, host: host.id, substitute: false });
    a.roles["token"] = ref(id);
    g.happened.push(a);
  }

  private takeToken(t: Token, a: Action, g: Group): void {
    const host = t.host;
    if (host === null) return;
    t.host = null;
    g.happened.push(a);
    // 13.2.5, ward.removed: with its token Ward ends at once, whoever removed it.
    if (t.token === "Ward") {
      for (const e of this.state.effects.filter((x) => x.ward?.object === host)) this.wardEnds(e, false, g.happened);
    }
  }

  private grant(a: Action, g: Group): void {
    const object = a.roles["object"], keyword = a.extra.keyword ?? { keyword: "Ward" };
    if (!isRef(object)) return;
    if (keyword.keyword !== "Ward") {
      const env = a.extra.env ?? emptyEnv(this.state.labels);
      const spec: Effect = {
        on: { objects: [] },
        ops: [{ op: "add", characteristic: "ability", keyword: { ...keyword, keyword: keyword.keyword ?? "" } }],
        ...(a.extra.until ? { until: a.extra.until } : {}),
      };
      const made = this.makeEffect(spec, { env, of: a.of, from: a.from, replaced: null }, g.before);
      made.objects = [object.id];
      g.happened.push(a);
      return;
    }
    const c = card(this.state, object.id);
    if (!c || hasWard(this.state, c.id)) return; // two grants in one group: the second finds Ward
    // 13.2.3, ward.token: one Ward Token, if none lies there. ward.whole: where something else is
    // done for it, there is no Ward.
    const there = (): boolean => tokensOn(this.state, c.id).some((t) => t.token === "Ward");
    if (!there()) {
      const inner: Group = { ...g, todo: [] };
      this.attempt(action("place", { token: { t: "token", token: "Ward" }, host: ref(c.id) }, a), inner);
      for (const f of inner.todo) f();
    }
    // 13.2.2, ward.clock, ward.fixed: the controller of this moment is noted, and nothing changes it;
    // ward.duration: a stated duration changes nothing. ward.stamp: its prohibition is of this moment.
    if (there()) {
      const key = `ward ${this.newId()}`;
      this.state.effects.push({
        key, spec: wardEffect, names: new Map(), labels: new Map(), self: c.id, you: c.controller, ability: null,
        objects: [c.id], stated: null, made: ++this.clock, ward: { object: c.id, noted: c.controller },
      });
    }
    g.happened.push(a);
  }

  // ---------------------------------------------------------------- triggers

  /** Collects what triggers from actions that happened or from a window's edge. */
  private after(acts: Action[], edge: "done" | "start" | "end"): void {
    if (acts.length === 0) return;
    const arisen: { side: number; queued: Queued }[] = [];
    const first = turnPlayer(this.state);
    for (const act of acts) {
      for (const w of this.watchers(act)) {
        const hit = this.triggers(w, edge, act);
        if (!hit) continue;
        if (!this.within(w.key, w.trigger.limits, { ...w.env, act })) continue;
        this.count(w.key, act);
        if (w.trigger.header !== undefined && w.source !== null) {
          const key = `${w.source} ${w.trigger.header}`;
          this.state.fired.set(key, (this.state.fired.get(key) ?? 0) + 1);
        }
        const env: Env = { ...w.env, act, hits: hit.hits, rolesBefore: false };
        const ctx: Context = { env, of: env.you, from: w.source, replaced: null, key: w.key, follows: true };
        arisen.push({ side: env.you === first ? 0 : 1, queued: { body: w.trigger.body, ctx } });
      }
    }
    for (const l of [...this.laters]) {
      const env = this.withoutLeft(l);
      if (!acts.some((act) => this.comes(l.when, edge, act, env, l.made))) continue;
      this.laters = this.laters.filter((x) => x !== l);
      const ctx: Context = { env, of: l.of, from: l.from, replaced: null };
      arisen.push({ side: l.env.you === first ? 0 : 1, queued: { body: l.body, ctx } });
    }
    // P queue: the turn player's first, otherwise in order of birth.
    arisen.sort((a, b) => a.side - b.side);
    this.queue.push(...arisen.map((x) => x.queued));
  }

  /**
   * Abilities that could trigger from an action: those there are in the recomputed state after it,
   * and those of Objects that left the Arena, by their last state (trigger.state, trigger.you).
   */
  private watchers(act: Action): Watcher[] {
    const now = this.view;
    const found: Watcher[] = [];
    const add = (a: AbilityInstance, self: Ref, view: View): void => {
      const c = card(view.state, self.id);
      if (!c) return;
      for (const part of withParts(a)) {
        if (!isTrigger(part.spec) || (part.spec.in ?? "Arena") !== c.zone) continue;
        // A label in a trigger means the Object that bears it now; effects keep the one that they named.
        const env: Env = { ...emptyEnv(now.state.labels), names: part.names, self, you: c.controller };
        found.push({ trigger: part.spec, key: part.key, env, source: self.id });
      }
    };
    for (const c of cards(now.state)) for (const a of now.board.abilities.get(c.id) ?? []) add(a, ref(c.id), now);
    const before = act.before;
    if (before && before !== now) {
      for (const c of cards(before.state)) {
        if (c.zone !== "Arena" || card(now.state, c.id)?.zone === "Arena") continue;
        for (const a of before.board.abilities.get(c.id) ?? []) add(a, { t: "ref", id: c.id, at: before }, before);
      }
    }
    for (const e of effectsIn(now.board, now.state)) {
      if (!e.spec.triggers || !this.inForce(e, now)) continue;
      (e.spec.triggers ?? []).forEach((trigger, i) => {
        found.push({ trigger, key: `${e.key} trigger ${i}`, env: envOf(e, now.state), source: e.self });
      });
    }
    return found;
  }

  /** What names meant as it was made; a card that has left the Arena since is not found by them. */
  private withoutLeft(l: Later): Env {
    const gone = (id: Id): boolean => (this.left.get(id) ?? 0) > l.made;
    const labels = new Map([...l.env.labels].map(([label, id]) => [label, gone(id) ? "" : id]));
    const names = new Map([...l.env.names].map(([name, v]) => [name, isRef(v) && gone(v.id) ? ref("") : v]));
    const self = l.env.self && gone(l.env.self.id) ? ref("") : l.env.self;
    return { ...l.env, labels, names, self };
  }

  private inForce(e: ContinuousEffect, view: View): boolean {
    if (e.spec.ops.length > 0) return view.board.applied.has(e.key);
    const top = e.ability?.top;
    if (top && !(view.board.abilities.get(top.card) ?? []).some((a) => a.key === top.key)) return false;
    return holds(e.spec.while, envOf(e, view.state), view);
  }

  private triggers(w: Watcher, edge: "done" | "start" | "end", act: Action): { hits: Action[] } | null {
    const { trigger, env } = w;
    const self = env.self?.id;
    const isSelf = (role: string): boolean => {
      const v = act.roles[role];
      return isRef(v) && v.id === self;
    };
    const where = (a: Action, rolesBefore: boolean): boolean =>
      holds(trigger.where, { ...env, act: a, rolesBefore }, this.view);
    switch (trigger.header) {
      case "On Summon":
        // summon.trigger: the Summon is complete and its Marking Token is there.
        if (edge !== "done" || act.kind !== "summon" || !isSelf("object") || act.extra.token !== "Marking") return null;
        return where(act, false) ? { hits: [] } : null;
      case "On Snatch": {
        // snatch.trigger, snatch.once; 13.1.3, incite.no-header: not from an Incite Check.
        if (edge !== "done" || act.kind !== "check" || act.attributes["incite"] === true || !isSelf("source")) return null;
        // snatch.enemy, snatch.conditions-before: the snatched are judged as they were before the group.
        const hits = act.hits.filter((h) => h.attributes["enemy"] === true && where(h, true));
        return hits.length > 0 ? { hits } : null;
      }
      case "When I am snatched back to my Owner's control":
        // back.trigger, back.not-others: a Snatch took it from someone else to its owner.
        if (edge !== "done" || act.kind !== "snatch" || !isSelf("target")) return null;
        if (!this.broughtHome(act)) return null;
        return where(act, false) ? { hits: [] } : null;
      case "At the end of the turn":
        // end.trigger, end.late: what is there as Step 3 begins.
        if (edge !== "start" || act.kind !== "End") return null;
        return where(act, false) ? { hits: [] } : null;
      case undefined:
        break;
      default:
        throw new Unsupported(`header ${trigger.header}`);
    }
    const when = trigger.when;
    if (!when || !this.comes(when, edge, act, env, 0)) return null;
    if (trigger.among === undefined) return where(act, false) ? { hits: [] } : null;
    const among = list(evaluate(trigger.among, { ...env, act }, this.view)).filter(isAct).map((v) => v.act);
    const hits = among.filter((a) => where(a, true));
    return hits.length > 0 ? { hits } : null;
  }

  private broughtHome(act: Action): boolean {
    const target = act.roles["target"], loser = act.attributes["loser"], taker = act.attributes["taker"];
    const owner = isRef(target) ? card(this.state, target.id)?.owner : undefined;
    const now = isRef(target) ? card(this.state, target.id)?.controller : undefined; // snatch.replaced
    return isRef(loser) && isRef(taker) && loser.id !== owner && taker.id === owner && now === owner;
  }

  /** Whether a moment comes now. `made`: when what waits for it was made, for `next`. */
  private comes(m: Moment, edge: "done" | "start" | "end", act: Action, env: Env, made: number): boolean {
    if (m.action !== act.kind) return false;
    const wanted = m.edge === "during" ? "start" : m.edge === "done" && windows.has(m.action) ? "end" : m.edge;
    if (wanted !== edge) return false;
    if (m.next) {
      const window = this.state.windows.find((w) => w.act === act);
      if (window && window.began <= made) return false;
    }
    return holds(m.where, { ...env, act }, this.view);
  }

  private later(l: Later): void {
    // `during` a step that is under way is now.
    const now = l.when.edge === "during" ? this.state.windows.find((w) => w.act.kind === l.when.action) : undefined;
    if (now && holds(l.when.where, { ...l.env, act: now.act }, this.view)) {
      this.queue.push({ body: l.body, ctx: { env: l.env, of: l.of, from: l.from, replaced: null } });
    } else this.laters.push(l);
  }

  /** P queue: first in, first out; what arises meanwhile joins the end. */
  private resolveAll(): void {
    for (let n = 0; ; n++) {
      if (n > 1000) throw new Fault("endless", "triggers go on without an end");
      const next = this.queue.shift();
      if (!next) return;
      this.run(next.body, next.ctx, null);
    }
  }

  /** `limits`, counted for that ability of that Object within one turn or one Check. */
  private within(key: string, limits: Limit[] | undefined, env: Env): boolean {
    return (limits ?? []).every((l) => {
      if (l.per !== "turn" && l.per !== "check") throw new Unsupported(`limits per ${l.per}`);
      const done = this.used.get(`${key} ${this.span(l.per, env.act)}`) ?? 0;
      return done < asNumber(evaluate(l.times, env, this.view));
    });
  }
  private count(key: string, act: Action | null): void {
    for (const per of ["turn", "check"]) {
      const k = `${key} ${this.span(per, act)}`;
      this.used.set(k, (this.used.get(k) ?? 0) + 1);
    }
  }
  /** Which turn or which Check it is. */
  private span(per: string, act: Action | null): string {
    if (per === "check") {
      const check = act?.kind === "check" ? act : (act?.check ?? null);
      return `check ${print(check ? { t: "act", act: check } : null)}`;
    }
    const turn = this.state.windows.find((w) => w.act.kind === "turn" && w !== this.closing);
    return turn ? `turn ${turn.began}` : "no turn";
  }

  // ---------------------------------------------------------------- small things

  private newId(): Id {
    return `o${++this.made}`;
  }

  private giveAbilities(id: Id): void {
    const c = card(this.state, id);
    if (!c) return;
    c.abilities = (c.print.abilities ?? []).map((a, i) => instance(`${id}/${i}`, id, a, false, this.state.labels));
  }
}

/** 13.2.1, ward.any: a Momon with Ward cannot be Snatched by any attempt, whoever makes it. */
const wardEffect: Effect = {
  label: "Ward",
  on: { self: true },
  ops: [{ op: "prohibit", action: "snatch", where: { op: "==", args: [{ op: "role", role: "target" }, "self"] } }],
};

const known = new Set(["snatch", "check", "incite", "summon", "give", "move", "place", "remove", "grant", "lose", "draw"]);
const windows = new Set(["turn", "Start", "Main", "End"]);

/** The chosen readings of open points, and the others that this engine can play. */
const choices = {
  "layers.same-objects": ["go_on", "read_afresh"],
  "dependency.present": ["judged_after_each", "judged_once"],
  "live.others": ["looks_again", "keeps_cards"],
  "timestamp.condition": ["when_true", "when_created"],
} as const;

function readingsOf(c: Case): Readings {
  for (const [name, value] of Object.entries(c.readings ?? {})) {
    const known: readonly string[] = choices[name as keyof typeof choices] ?? [];
    if (!known.includes(value)) throw new Unsupported(`reading ${name} ${value}`);
  }
  const read = <T>(name: keyof typeof choices): T => (c.readings?.[name] ?? choices[name][0]) as T;
  return {
    sameObjects: read("layers.same-objects"),
    dependency: read("dependency.present"),
    others: read("live.others"),
    condition: read("timestamp.condition"),
  };
}

/**
 * Section 9: what happens in one moment. The first `together` of them do; else each action is a
 * moment of its own, but that a Check's attempts that succeed do so at once.
 */
function moments(happened: Action[], together: number): Action[][] {
  const list: Action[][] = together > 0 ? [happened.slice(0, together)] : [];
  let last: Action | null = null;
  for (const a of happened.slice(together)) {
    const whole: Action = a.check ?? a.partOf ?? a;
    if (whole === last && a !== whole) list.at(-1)?.push(a);
    else list.push([a]);
    last = whole;
  }
  return list;
}

const isTrigger = (a: Partial<Trigger>): a is Trigger => a.header !== undefined || a.when !== undefined;
