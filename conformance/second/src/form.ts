// The form of a case, as docs/conformance.md describes it. Only types: no rule stands here.

export type Expression = string | number | boolean | Operator;

export interface Operator {
  op: string;
  [part: string]: unknown;
}

export interface Moment {
  edge: "done" | "start" | "end" | "during";
  next?: true;
  action: string;
  where?: Expression;
}

export interface Limit {
  times: Expression;
  per: string;
}

export interface Keyword {
  keyword: string;
  arguments?: Expression[];
  abilities?: Ability[];
}

export interface Trigger {
  header?: string;
  when?: Moment;
  among?: Expression;
  where?: Expression;
  in?: string;
  limits?: Limit[];
  body: Instruction[];
}

/** One line of a card: exactly one of `static`, `header`, `when`, `keyword` is there. */
export interface Ability extends Partial<Trigger>, Partial<Keyword> {
  static?: Effect;
}

export interface Operation {
  op: string;
  characteristic?: string;
  to?: Expression;
  value?: Expression;
  by?: Expression;
  keyword?: Keyword;
  action?: string;
  where?: Expression;
  body?: Instruction[];
}

export interface On {
  objects?: Expression[];
  all?: Expression;
  each?: string;
  as?: string;
  where?: Expression;
  self?: true;
  action?: string;
}

export interface Effect {
  label?: string;
  on?: On;
  in?: string;
  while?: Expression;
  until?: Moment[];
  timestamp?: Expression;
  ops: Operation[];
  triggers?: Trigger[];
  finally?: Instruction[];
}

export interface Still {
  role: string;
  kind: string;
  as: string;
  where: Expression;
}

export interface Instruction {
  do: string;
  effect?: Effect;
  as?: Expression;
  body?: Instruction[];
  condition?: Expression;
  then?: Instruction[];
  else?: Instruction[];
  name?: string;
  list?: Expression;
  ordered_by?: Expression;
  times?: Expression;
  value?: Expression;
  from?: Expression;
  by?: Expression;
  least?: Expression;
  most?: Expression;
  for?: Instruction;
  limits?: Limit[];
  when?: Moment;
  roles?: Record<string, Expression>;
  with?: Record<string, Expression>;
  token?: string;
  count?: Expression;
  keyword?: Keyword;
  until?: Moment[];
  still?: Still[];
}

export interface StartObject {
  object: string;
  zone: string;
  owner: string;
  controller: string;
  cell?: number[];
  name: string;
  printed: Record<string, unknown>;
  errata?: Record<string, unknown>;
  abilities?: Ability[];
}

export interface Question {
  question: string;
  of?: Expression;
  characteristic?: string;
  token?: string;
  keyword?: string;
  name?: string;
  list?: Expression;
  as?: string;
  action?: string | Instruction;
  where?: Expression;
  rule?: string;
  header?: string;
  rules?: true;
  by?: Expression;
  condition?: Expression;
}

export type Answer = string | number | boolean | null | Answer[];

export interface Step {
  step: number;
  do?: Instruction[];
  as?: Expression;
  open?: string;
  of?: Expression;
  close?: string;
  answer?: string;
  with?: Expression | Expression[];
  by?: Expression;
  ask?: Question;
  expect?: Answer;
}

export interface Case {
  id: string;
  status: string;
  tier: string;
  features: string[];
  readings?: Record<string, string>;
  start: StartObject[];
  script: Step[];
}

/** The case is not well formed for this engine, or asks for what it lacks. */
export class Unsupported extends Error {
  constructor(readonly feature: string) {
    super(`not supported: ${feature}`);
  }
}

/** The script and the game don't fit together, such as a decision without an answer. */
export class Fault extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
