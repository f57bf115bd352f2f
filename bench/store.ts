/**
 * Jobs per second of a store: submit (→ claim) → settle, 50 in flight, beside a raw loop without any store. `node
 * bench/store.ts [jobs] [rounds] [--quick] [--json FILE]`; the medians count.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newJobUrn } from "../runtime/job/job-id.ts";
import type { JobStore } from "../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../runtime/executor/store/memory/memory.ts";
import { openSqliteStore } from "../runtime/executor/store/sqlite/sqlite.ts";
import { atLeast } from "./lib/figure.ts";
import { summarise } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { measure, type Measured, type Step } from "./store/measure.ts";
import { input, ownJobToItsEnd, queuedJob } from "./store/steps.ts";

const { quick, words, progress, finish } = benchScript();
const jobs = Number(words[0] ?? (quick ? 3000 : 30_000));
const rounds = Number(words[1] ?? (quick ? 2 : 5));
const inFlight = 50;

function raw(): Step {
  const kept = new Map<string, unknown>();
  return async () => {
    const id = newJobUrn();
    await Promise.resolve(kept.set(id, JSON.stringify(input)));
    await Promise.resolve();
    await Promise.resolve(kept.delete(id));
  };
}

const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
let files = 0;
const sqlite = (): JobStore => openSqliteStore(join(folder, `${files++}.db`));
const cases: readonly (readonly [string, () => { step: Step; store?: JobStore }])[] = [
  ["raw loop", () => ({ step: raw() })],
  ["memory, own jobs", () => withStore(createMemoryStore(), ownJobToItsEnd)],
  ["memory, oldest", () => withStore(createMemoryStore(), queuedJob)],
  ["sqlite, own jobs", () => withStore(sqlite(), ownJobToItsEnd)],
  ["sqlite, oldest", () => withStore(sqlite(), queuedJob)],
];

function withStore(store: JobStore, make: (store: JobStore) => Step): { step: Step; store: JobStore } {
  return { step: make(store), store };
}

const results = new Map<string, Measured[]>();
for (let round = 0; round < rounds; round++) {
  progress(`store: round ${round + 1} of ${rounds}, ${jobs} jobs each`);
  for (const [name, make] of cases) {
    const { step, store } = make();
    results.set(name, [...(results.get(name) ?? []), await measure(step, jobs, inFlight)]);
    await store?.close();
  }
}
for (const [name, all] of results) {
  const sorted = all.toSorted((one, other) => one.perSecond - other.perSecond);
  const { perSecond, p50, p99, cpu } = sorted[sorted.length >> 1] ?? { perSecond: 0, p50: 0, p99: 0, cpu: 0 };
  const range = [sorted[0], sorted.at(-1)]
    .map((one) => Math.round(one?.perSecond ?? 0).toLocaleString("en"))
    .join(" … ");
  const rate = Math.round(perSecond).toLocaleString("en").padStart(9);
  console.log(
    `${name.padEnd(18)} ${rate} jobs/s  (${range})  done p50 ${p50.toFixed(2)} p99 ${p99.toFixed(2)} ms  cpu ${cpu.toFixed(1)} µs/job`,
  );
}
rmSync(folder, { recursive: true });
finish([
  {
    id: "store",
    name: `Jobs through a store, ${inFlight} in flight`,
    unit: "jobs/s",
    better: "higher",
    rows: [...results].map(([name, all]) => ({
      contender: nameOf(name),
      ...summarise(all.map((one) => one.perSecond)),
    })),
    goals: [atLeast(40_000, "SQLite, own jobs", rateOf("sqlite, own jobs"), "jobs/s")],
  },
]);

function rateOf(name: string): number {
  return summarise((results.get(name) ?? []).map((one) => one.perSecond)).median;
}

function nameOf(name: string): string {
  return name === "raw loop" ? name : `tenon, ${name}`;
}
