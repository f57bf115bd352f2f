/**
 * A store with many parked jobs: `node --expose-gc test/chaos/durable/parked.ts [--store sqlite|postgres]
 * [--jobs 1000000] [--woken 10000]`. Exit code 1 when a service with that store starts slowly, does something while
 * nothing is due, or is blocked while many jobs wake together.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../../../runtime/executor/store/open-store.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { runParked } from "./run-parked.ts";

const { values } = parseArgs({
  options: {
    store: { type: "string", default: "sqlite" },
    jobs: { type: "string", default: "1000000" },
    woken: { type: "string", default: "10000" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "tenon-parked-"));
const server = values.store === "postgres" ? await startPostgres() : undefined;
const store = await openStore(server?.url() ?? `sqlite:${join(folder, "jobs.db")}`);
const report = await runParked({
  store,
  jobs: Number(values.jobs),
  woken: Number(values.woken),
  idle: 20_000,
  log: (text) => console.log(text),
});
await store.close();
await server?.stop();
rmSync(folder, { recursive: true, force: true });
const bounds = { start: 1000, idle: 20, heap: 20, message: 1000, block: 250 } as const;
let isBroken = false;
for (const [name, most] of Object.entries(bounds)) {
  const value = report[name as keyof typeof bounds];
  const breaks = value > most;
  isBroken ||= breaks;
  console.log(`${breaks ? "BROKEN" : "ok    "}  ${name.padEnd(8)} ${value.toFixed(1)} (at most ${most})`);
}
console.log(`        ${report.rate.toFixed(0)} jobs a second when they wake together`);
process.exit(isBroken ? 1 : 0);
