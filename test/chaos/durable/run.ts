/**
 * The sweep of durable jobs: `node test/chaos/durable/run.ts [--store sqlite|postgres] [--jobs 10000] [--kills 200]
 * [--replicas 3] [--server-kills 10] [--seed N]`. Services and their database are killed (`kill -9`) and paused while
 * jobs keep steps, sleep and wait for messages, whose effects a system outside counts. Exit code 1 for a breach.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleVictims } from "../bundle-victims.ts";
import { runDurable } from "./run-durable.ts";

const { values } = parseArgs({
  options: {
    store: { type: "string", default: "sqlite" },
    jobs: { type: "string", default: "10000" },
    kills: { type: "string", default: "200" },
    replicas: { type: "string", default: "3" },
    "server-kills": { type: "string", default: "10" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const folder = mkdtempSync(join(tmpdir(), "tenon-durable-"));
const began = performance.now();
const since = (): string => `${((performance.now() - began) / 1000).toFixed(0)} s`.padStart(7);
console.log(
  `${values.store}, seed ${values.seed}, ${values.jobs} jobs, ${values.kills} kills, Node ${process.version}`,
);
const { service } = await bundleVictims(join(folder, "bundle"));
const { lost, repeated, breaches, kills, pauses, effects } = await runDurable({
  store: values.store === "postgres" ? "postgres" : "sqlite",
  jobs: Number(values.jobs),
  kills: Number(values.kills),
  serverKills: Number(values["server-kills"]),
  replicas: Number(values.replicas),
  seed: Number(values.seed),
  folder,
  entry: service,
  log: (text) => console.log(`${since()}  ${text}`),
});
console.log(
  `${since()}  ${kills} kills, ${pauses} pauses; ${effects} effects, ${repeated} of them again under their key`,
);
const logs = globSync(join(folder, "durable-*/log")).flatMap((file) => readFileSync(file, "utf8").split("\n"));
for (const breach of breaches.slice(0, 50)) {
  console.log(`BROKEN  ${breach}`);
  const [job = ""] = /^urn:platform:job:[\w-]+/.exec(breach) ?? [];
  const reasons = logs.filter((line) => job !== "" && line.includes(job) && /"level":"(?:WARN|ERR|CRIT)/.test(line));
  for (const line of reasons.slice(-5)) console.log(`        ${line.slice(0, 1000)}`);
}
console.log(`lost ${lost}, breaches ${breaches.length} (seed ${values.seed})`);
if (breaches.length === 0) rmSync(folder, { recursive: true, force: true });
else console.log(`kept: ${folder}, with the logs and the store`);
process.exit(breaches.length === 0 ? 0 : 1);
