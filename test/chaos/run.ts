/**
 * The kill sweep: `node test/chaos/run.ts [--jobs 10000] [--kills 1000] [--workers 4] [--lease 2] [--seed N] [--keep]`,
 * or with `--store postgres [--replicas 6] [--server-kills 30] [--standby] [--minutes 600]` that of replicas of a
 * service and their database, which ends after so many minutes with what has been done by then. `--standby` gives the
 * database a synchronous standby: half of the kills of the server are failovers to it. Workers, a service and the
 * platform are killed at random points (`kill -9`) and paused while jobs run. Then all answers to callers and workers
 * are checked against the eight invariants of jobs. Exit code 1 for a violation. The seed repeats the choices, though
 * not the timing.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleVictims } from "./bundle-victims.ts";
import { runReplicas } from "./replicas/run-replicas.ts";
import { runSweep } from "./run-sweep.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "10000" },
    kills: { type: "string", default: "1000" },
    workers: { type: "string", default: "4" },
    lease: { type: "string", default: "2" },
    seed: { type: "string" },
    store: { type: "string", default: "sqlite" },
    replicas: { type: "string", default: "6" },
    "server-kills": { type: "string", default: "30" },
    minutes: { type: "string", default: "600" },
    standby: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const folder = mkdtempSync(join(tmpdir(), "tenon-chaos-"));
const began = performance.now();
const since = (): string => `${((performance.now() - began) / 1000).toFixed(0)} s`.padStart(7);
console.log(`seed ${seed}, ${values.jobs} jobs, ${values.kills} kills, Node ${process.version}`);
const entries = await bundleVictims(join(folder, "bundle"));
const common = {
  jobs: Number(values.jobs),
  kills: Number(values.kills),
  seed,
  folder,
  log: (text: string) => console.log(`${since()}  ${text}`),
};
const report =
  values.store === "postgres"
    ? await runReplicas({
        ...common,
        serverKills: Number(values["server-kills"]),
        hasStandby: values.standby,
        replicas: Number(values.replicas),
        longest: Number(values.minutes) * 60_000,
        entry: entries.service,
      })
    : await runSweep({
        ...common,
        workers: Number(values.workers),
        leaseSeconds: Number(values.lease),
        entries,
      });
const { kills, pauses, ends, refused, history, breaches } = report;
const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
const total = Object.values(kills).reduce((sum, count) => sum + count, 0);
console.log(`${since()}  killed ${total} times (${list(kills)}), ${pauses} paused for longer than their lease`);
console.log(`jobs: ${list(ends)}; writes of lost attempts refused: ${refused}; ${history.length} entries checked`);
for (const breach of breaches.slice(0, 50)) console.log(`BROKEN  ${breach}`);
const count = (numbers: string): number => breaches.filter((text) => new RegExp(`: [${numbers}]:`).test(text)).length;
console.log(
  `lost ${count("1")}, double results ${count("2")}, stale writes ${count("3")}, other breaches ${count("4-8")} (seed ${seed})`,
);
if (values.keep) {
  writeFileSync(join(folder, "history.jsonl"), history.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  console.log(`kept: ${folder}, with history.jsonl`);
} else rmSync(folder, { recursive: true, force: true });
process.exit(breaches.length === 0 ? 0 : 1);
