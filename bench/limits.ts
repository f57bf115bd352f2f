/**
 * Jobs per second of a store in SQLite whose jobs have limits, beside jobs without: submit → claim → settle with 50 in
 * flight, and claim → settle of jobs that are there. `node bench/limits.ts [jobs] [rounds]`; in turns within one
 * run, and the ratio of the medians counts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobStore, NewJob } from "../runtime/executor/store/job-store.ts";
import { openSqliteStore } from "../runtime/executor/store/sqlite/sqlite.ts";
import { newJobUrn } from "../runtime/job/job-id.ts";
import type { JobLimit } from "../runtime/job/limits/job-limit.ts";
import { atLeast } from "./lib/figure.ts";
import { summarise } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { measure } from "./store/measure.ts";
import { input } from "./store/steps.ts";

const { quick, words, progress, finish } = benchScript();
const jobs = Number(words[0] ?? (quick ? 3000 : 20_000));
const rounds = Number(words[1] ?? (quick ? 3 : 9));
const inFlight = 50;
const outcome = { state: "succeeded", result: { kind: "json", json: JSON.stringify(input) } } as const;

type LimitOf = (n: number) => JobLimit | undefined;
const limits: Readonly<Record<string, LimitOf>> = {
  "no limit": () => undefined,
  "20 keys, 3 at a time": (n) => ({ key: `bench request.a "${n % 20}"`, jobs: 3, retryAfter: 3 }),
  "a key for each job": (n) => ({ key: `bench request.a "${n}"`, jobs: 1, retryAfter: 3 }),
  "one key, 50 at a time": () => ({ key: "bench", jobs: inFlight, retryAfter: 3 }),
};

function newJob(n: number, limitOf: LimitOf): NewJob {
  const limit = limitOf(n);
  const job = { id: newJobUrn(), tool: "bench", input, ttl: 3600, maxAttempts: 3 };
  return limit === undefined ? job : { ...job, limit };
}

async function claimAndSettle(store: JobStore): Promise<boolean> {
  const claim = await store.claim({ seconds: 15, tools: ["bench"] });
  if (claim !== undefined) await store.settle(claim.lease, outcome);
  return claim !== undefined;
}

/** Each job from its submission on; one that is held is ended by whoever claims it. */
async function throughput(store: JobStore, limitOf: LimitOf): Promise<number> {
  let n = 0;
  const step = async (): Promise<void> => {
    await store.submit(newJob(n++, limitOf));
    await claimAndSettle(store);
  };
  return (await measure(step, jobs, inFlight)).perSecond;
}

/** Jobs that were submitted before. */
async function claims(store: JobStore, limitOf: LimitOf): Promise<number> {
  for (let n = 0; n < jobs; n += 500)
    await Promise.all(Array.from({ length: 500 }, (_, at) => store.submit(newJob(n + at, limitOf))));
  let ended = 0;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (ended < jobs) if (await claimAndSettle(store)) ended++;
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return (jobs / (performance.now() - started)) * 1000;
}

const cases = { "submitted, claimed and ended": throughput, "claimed and ended": claims };
const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
const results = new Map<string, number[]>();
let files = 0;
for (let round = 0; round < rounds; round++) {
  progress(`limits: round ${round + 1} of ${rounds}, ${jobs} jobs each`);
  for (const [title, run] of Object.entries(cases)) {
    for (const [name, limitOf] of Object.entries(limits)) {
      const store = openSqliteStore(join(folder, `${files++}.db`), { maxFinished: Infinity });
      const key = `${title}: ${name}`;
      results.set(key, [...(results.get(key) ?? []), await run(store, limitOf)]);
      await store.close();
    }
  }
}
rmSync(folder, { recursive: true });

const rateOf = (title: string, name: string): number => summarise(results.get(`${title}: ${name}`) ?? []).median;
finish(
  Object.keys(cases).map((title) => ({
    id: `limits-${title.split(/\W+/, 1)[0] ?? ""}`,
    name: `Jobs ${title}, SQLite, ${inFlight} in flight`,
    unit: "jobs/s",
    better: "higher" as const,
    rows: Object.keys(limits).map((name) => ({
      contender: name,
      ...summarise(results.get(`${title}: ${name}`) ?? []),
    })),
    goals: Object.keys(limits)
      .slice(1)
      .map((name) => atLeast(0.6, `${name} ÷ no limit`, rateOf(title, name) / rateOf(title, "no limit"))),
  })),
);
