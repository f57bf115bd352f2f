/**
 * Runs jobs through the store file of its argument, 20 at a time, until it is killed, and writes a line for whatever
 * the store has acknowledged: `s ID` submitted, `e ID` reported, `d ID ATTEMPT` settled by that attempt.
 */
import { writeSync } from "node:fs";
import { newJobUrn } from "../../../../../runtime/job/job-id.ts";
import { openSqliteStore } from "../../../../../runtime/executor/store/sqlite/sqlite.ts";

const store = openSqliteStore(process.argv[2] ?? "", { maxFinished: 10_000_000, endLeases: true });
const filler = "x".repeat(500);

async function one(): Promise<void> {
  const id = newJobUrn();
  await store.submit({ id, tool: "one", input: { filler }, ttl: 1e6, maxAttempts: 1e6 });
  writeSync(1, `s ${id}\n`);
  const claim = await store.claim({ seconds: 60 });
  if (claim === undefined) throw new Error("nothing to claim");
  const { lease } = claim;
  const sequence = (claim.lease.attempt - 1) * 10 + 1;
  if ((await store.progress(lease, [{ sequence, body: { filler } }])) !== "ok") throw new Error("progress refused");
  writeSync(1, `e ${lease.id}\n`);
  const json = JSON.stringify(`${lease.attempt} ${filler}`);
  const settled = await store.settle(lease, { state: "succeeded", result: { kind: "json", json } });
  if (settled !== "ok") throw new Error(`settle ${settled}`);
  writeSync(1, `d ${lease.id} ${lease.attempt}\n`);
}

async function forever(): Promise<void> {
  for (;;) await one();
}

await Promise.all(Array.from({ length: 20 }, forever));
