// Feeds the cases of conformance/suite to the engine and compares. Arguments choose cases by id.

import { readFileSync, readdirSync } from "node:fs";
import type { Answer, Case } from "../src/form.js";
import { runCase } from "../src/run.js";

const folder = new URL("../../../suite/", import.meta.url);
const wanted = process.argv.slice(2);
const totals = new Map<string, { passed: number; of: number }>();
let failed = 0;

for (const file of readdirSync(folder).sort()) {
  if (file === "index.json" || file === "load.json") continue;
  const { cases } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as { cases: Case[] };
  for (const c of cases) {
    if (wanted.length > 0 && !wanted.some((w) => c.id.includes(w))) continue;
    const total = totals.get(c.status) ?? { passed: 0, of: 0 };
    totals.set(c.status, total);
    total.of++;
    const faults = judge(c);
    if (faults.length === 0) total.passed++;
    else {
      failed++;
      process.stdout.write(`${c.status} ${c.id} (${file})\n${faults.map((f) => `  ${f}\n`).join("")}`);
    }
  }
}
for (const [status, t] of totals) process.stdout.write(`${status}: ${t.passed} of ${t.of}\n`);
if (totals.size === 0 || failed > 0) process.exitCode = 1;

function judge(c: Case): string[] {
  // The engine never sees what is expected.
  const blind = { ...c, script: c.script.map(({ expect: _, ...s }) => s) } as Case;
  let answers: Map<number, Answer>;
  try {
    answers = new Map(runCase(blind).map((a) => [a.step, a.answer]));
  } catch (error) {
    return [String(error)];
  }
  return c.script.flatMap((s) => {
    if (!s.ask) return [];
    const got = answers.get(s.step) ?? null;
    const want = s.expect ?? null;
    return agrees(got, want, s.ask.question) ? [] : [`${s.step}. expected ${JSON.stringify(want)}, got ${JSON.stringify(got)}`];
  });
}

function agrees(got: Answer, want: Answer, question: string): boolean {
  if (question === "refused" && Array.isArray(want)) return want.some((w) => w === got);
  if (question === "value" && Array.isArray(got) && Array.isArray(want)) {
    const text = (l: Answer[]): string => JSON.stringify(l.map((x) => JSON.stringify(x)).sort());
    return text(got) === text(want);
  }
  return JSON.stringify(got) === JSON.stringify(want);
}
