/**
 * Jobs per second of a store: submit (→ claim) → settle, 50 in flight, beside a raw loop without any store. `node
 * bench/store.ts [jobs] [rounds] [--quick] [--json FILE]`; the medians count.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newJobUrn } from "../runtime/job/job-id.ts";
import type { JobStore } from "../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../runtime/executor/store/memory.ts";
import { openSqliteStore } from "../runtime/executor/store/sqlite/sqlite.ts";
import { atLeast } from "./lib/figure.ts";
import { summarise } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";

const { quick, words, progress, finish } = benchScript();
const jobs = Number(words[0] ?? (quick ? 3000 : 30_000));
const rounds = Number(words[1] ?? (quick ? 2 : 5));
const inFlight = 50;
const input = { text: "x".repeat(100), numbers: [1, 2, 3], nested: { flag: true } };
const outcome = {
  state: "succeeded",
  result: { kind: "json", json: JSON.stringify({ ...input, ok: true }) },
} as const;

type Step = () => Promise<void> | void;

/** One job through a store, as the executor of a service does it: submitted and claimed in one step. */
function throughStore(store: JobStore): Step {
  return async () => {
    const answer = await store.submit({ id: newJobUrn(), tool: "bench", input, ttl: 3600, maxAttempts: 3 }, 15);
    if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
    if ((await store.settle(answer.lease, outcome)) !== "ok") throw new Error("not settled");
  };
}

/** One job as a worker of the platform does it: it claims the oldest one. */
function throughQueue(store: JobStore): Step {
  return async () => {
    await store.submit({ id: newJobUrn(), tool: "bench", input, ttl: 3600, maxAttempts: 3 });
    const claim = await store.claim({ seconds: 15 });
    if (claim === undefined) throw new Error("no claim");
    if ((await store.settle(claim.lease, outcome)) !== "ok") throw new Error("not settled");
  };
}

function raw(): Step {
  const kept = new Map<string, unknown>();
  return async () => {
    const id = newJobUrn();
    await Promise.resolve(kept.set(id, JSON.stringify(input)));
    await Promise.resolve();
    await Promise.resolve(kept.delete(id));
  };
}

interface Measured {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time per job, which other load affects less than the rate. */
  readonly cpu: number;
}

async function measure(step: Step): Promise<Measured> {
  const cpu = process.cpuUsage();
  const times = new Float64Array(jobs);
  let next = 0;
  const started = performance.now();
  const loop = async (): Promise<void> => {
    while (next < jobs) {
      const index = next++;
      const began = performance.now();
      await step();
      times[index] = performance.now() - began;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  times.sort();
  const [p50 = 0, p99 = 0] = [times[jobs >> 1], times[Math.trunc(jobs * 0.99)]];
  return { perSecond: (jobs / took) * 1000, p50, p99, cpu: (user + system) / jobs };
}

const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
let files = 0;
const sqlite = (): JobStore => openSqliteStore(join(folder, `${files++}.db`));
const cases: readonly (readonly [string, () => { step: Step; store?: JobStore }])[] = [
  ["raw loop", () => ({ step: raw() })],
  ["memory, own jobs", () => withStore(createMemoryStore(), throughStore)],
  ["memory, oldest", () => withStore(createMemoryStore(), throughQueue)],
  ["sqlite, own jobs", () => withStore(sqlite(), throughStore)],
  ["sqlite, oldest", () => withStore(sqlite(), throughQueue)],
];

function withStore(store: JobStore, make: (store: JobStore) => Step): { step: Step; store: JobStore } {
  return { step: make(store), store };
}

const results = new Map<string, Measured[]>();
for (let round = 0; round < rounds; round++) {
  progress(`store: round ${round + 1} of ${rounds}, ${jobs} jobs each`);
  for (const [name, make] of cases) {
    const { step, store } = make();
    results.set(name, [...(results.get(name) ?? []), await measure(step)]);
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
