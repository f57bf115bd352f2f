/**
 * Token isolation, the full run, `npm run isolation`: 1,000 concurrent jobs × 20 requests through the clients where jobs
 * share most, 200 × 10 through every shape of client, direct and proxied, and the naive control, which must go red.
 * About ten minutes. `--jobs N --requests N` gives one size to all; `--shapes a,b` only these; `--unbundled`,
 * `--no-minify`; `--node FILE` another Node.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleHarness, clientsFolder } from "../test/outbound/harness/build.ts";
import { drive, unbundledEntry } from "../test/outbound/harness/drive.ts";
import type { Entry } from "../test/outbound/harness/drive.ts";
import { total, wrongs } from "../test/outbound/harness/server.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string" },
    requests: { type: "string" },
    node: { type: "string" },
    minify: { type: "boolean", default: true },
    unbundled: { type: "boolean", default: false },
    shapes: { type: "string" },
  },
  allowNegative: true,
});
const clients = clientsFolder();
if (clients === undefined) {
  console.error("The clients are not installed: run npm install, or name a folder that has them in OUTBOUND_CLIENTS.");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "tenon-isolation-"));
const node = values.node === undefined ? {} : { node: values.node };
const chosen = values.shapes?.split(",");
/** The shapes of the goal: they share pools, sockets, timers and promises between jobs. */
const shared: readonly string[] = [
  "fetch",
  "fetch pool of 2",
  "fetch redirect",
  "http keep-alive",
  "axios",
  "got retry",
  "shared emitter",
  "cached promise",
  "worker thread",
  "undici 7 pool of 2",
  "undici 8 pool of 2",
  "undici 7 RetryAgent",
  "undici 8 RetryAgent",
  "undici 7 retry",
  "undici 8 retry",
  "undici 7 redirect",
  "undici 8 redirect",
  "undici 7 queue",
];

function size(jobs: number, requests: number): { jobs: number; requests: number; outside: true } {
  return { jobs: Number(values.jobs ?? jobs), requests: Number(values.requests ?? requests), outside: true };
}

async function report(title: string, entry: Entry, run: Parameters<typeof drive>[1]): Promise<number> {
  const began = performance.now();
  const { counts, errors, sent } = await drive(entry, run);
  const sum = total(counts.values());
  const wrong = wrongs.reduce((all, name) => all + sum[name], 0);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `\n${title}: ${sent} calls of ${run.jobs} jobs, ${sum.requests} requests, ${counts.size} shapes, ${seconds} s`,
  );
  console.log(`  ${wrongs.map((name) => `${name} ${sum[name]}`).join(", ")}`);
  for (const [shape, found] of counts) {
    const bad = wrongs.filter((name) => found[name] > 0).map((name) => `${name} ${found[name]}`);
    if (bad.length > 0) console.log(`  ${shape}: ${bad.join(", ")} of ${found.requests}`);
  }
  for (const error of errors) console.log(`  error: ${error}`);
  return wrong + errors.length;
}

try {
  const file = join(folder, "harness.mjs");
  const plain = join(folder, "plain.mjs");
  if (!values.unbundled) await bundleHarness(clients, file, { minify: values.minify });
  await bundleHarness(clients, plain, { plain: true });
  const entry: Entry = values.unbundled ? { file: unbundledEntry, clients, ...node } : { file, ...node };
  const every = chosen === undefined ? {} : { shapes: chosen };
  const most = { shapes: chosen ?? shared };
  const wrong =
    (await report("shared clients", entry, { ...size(1000, 20), ...most, proxied: false, rule: "tenon" })) +
    (await report("all clients", entry, { ...size(200, 10), ...every, proxied: false, rule: "tenon" })) +
    (await report("all clients, proxied", entry, { ...size(200, 10), ...every, proxied: true, rule: "tenon" }));
  const control = await report(
    "naive control, which must be wrong",
    { file: plain, ...node },
    {
      ...size(200, 10),
      proxied: false,
      rule: "naive",
      shapes: ["fetch pool of 2", "undici 7 RetryAgent", "undici 8 RetryAgent", "undici 7 pool of 2"],
    },
  );
  console.log(wrong === 0 && control > 0 ? "\nisolated" : `\nNOT ISOLATED: ${wrong} wrong, control ${control}`);
  process.exitCode = wrong === 0 && control > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
