/**
 * Token isolation, the full run, `npm run isolation`: 1,000 concurrent jobs × 20 requests through the clients where
 * jobs share most, 1,000 × 2 through every other shape of client, 100 × 2 through all of them by way of the proxy,
 * 2,000 hostile URLs a client, and the naive control, which must go red. A few shapes at a time, in two processes side
 * by side, with a line for each. `--jobs N --requests N` gives one size to all; `--shapes a,b` only these;
 * `--unbundled`, `--no-minify`; `--node FILE` another Node.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleHarness, clientsFolder } from "./harness/build.ts";
import { drive, unbundledEntry, type Driven, type Entry, type RunPlan } from "./harness/drive.ts";
import { total, wrongs } from "./harness/server.ts";

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

/** Shapes that share pools, sockets, timers and promises between jobs. */
const shared: ReadonlySet<string> = new Set([
  "fetch",
  "fetch pool of 2",
  "undici 7 pool of 2",
  "undici 8 pool of 2",
  "undici 7 retry",
  "undici 8 RetryAgent",
  "undici 7 redirect",
  "undici 8 redirect",
  "http keep-alive",
  "axios",
  "shared emitter",
  "cached promise",
  "worker thread",
]);
const naive = ["fetch pool of 2", "undici 7 RetryAgent", "undici 8 RetryAgent", "undici 7 pool of 2"];
/** Number of shapes per process: enough that their answers interleave. */
const atATime = 5;

interface Piece {
  readonly title: string;
  readonly plan: RunPlan;
  /** True for the control, which must show violations. */
  readonly mustBeWrong?: true;
}

const clients = clientsFolder();
if (clients === undefined) {
  console.error("The clients are not installed: run npm install, or name a folder that has them in OUTBOUND_CLIENTS.");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "tenon-isolation-"));
try {
  const file = join(folder, "harness.mjs");
  await bundleHarness(clients, file, { minify: values.minify });
  const node = values.node === undefined ? {} : { node: values.node };
  const entry: Entry = values.unbundled ? { file: unbundledEntry, clients, ...node } : { file, ...node };
  process.exitCode = (await runAll(entry)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runAll(entry: Entry): Promise<boolean> {
  const began = performance.now();
  // Names of all shapes, from a minimal run.
  const [probe] = await drive(entry, [{ ...size(1, 1), proxied: false, rule: "tenon" }]);
  const chosen = values.shapes?.split(",") ?? probe?.shapes ?? [];
  const queue = piecesFor(chosen);
  const count = queue.length;
  const sums = { requests: 0, wrong: 0, control: 0 };
  const work = async (): Promise<void> => {
    for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) {
      const start = performance.now();
      const [driven] = await drive(entry, [piece.plan]);
      const { requests, wrong } = judge(driven);
      sums.requests += requests;
      sums[piece.mustBeWrong === true ? "control" : "wrong"] += wrong;
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      const { jobs, requests: each } = piece.plan;
      console.log(
        `${piece.title}: ${jobs} jobs × ${each}, ${requests} requests, ${wrong} wrong, ${seconds} s; ${queue.length} of ${count} pieces are left`,
      );
      tell(driven);
    }
  };
  await Promise.all([work(), work()]);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const isIsolated = sums.wrong === 0 && sums.control > 0;
  console.log(
    `\n${isIsolated ? "isolated" : "NOT ISOLATED"}: ${sums.wrong} wrong of ${sums.requests} requests, ${chosen.length} shapes, ${seconds} s; the naive control: ${sums.control} wrong`,
  );
  return isIsolated;
}

function piecesFor(chosen: readonly string[]): Piece[] {
  const direct = { proxied: false, rule: "tenon" } as const;
  const inShapes = (title: string, shapes: readonly string[], plan: RunPlan): Piece[] =>
    parts(shapes).map((some) => ({ title: `${title}, ${some.join(", ")}`, plan: { ...plan, shapes: some } }));
  const most = chosen.filter((name) => shared.has(name));
  const others = chosen.filter((name) => !shared.has(name));
  return [
    { title: "naive control", plan: { ...size(100, 5), ...direct, rule: "naive", shapes: naive }, mustBeWrong: true },
    { title: "hostile URLs", plan: { ...size(1, 1), ...direct, hosts: { seed: 1, count: 2000 } } },
    ...inShapes("directly", most, { ...size(1000, 20), ...direct }),
    ...inShapes("directly", others, { ...size(1000, 2), ...direct }),
    { title: "through the proxy, all", plan: { ...size(100, 2), ...direct, proxied: true, shapes: chosen } },
  ];
}

function parts(names: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(names.length / atATime) }, (_, index) =>
    names.slice(index * atATime, (index + 1) * atATime),
  );
}

function size(jobs: number, requests: number): { jobs: number; requests: number; outside: true } {
  return { jobs: Number(values.jobs ?? jobs), requests: Number(values.requests ?? requests), outside: true };
}

function judge(driven: Driven | undefined): { readonly requests: number; readonly wrong: number } {
  if (driven === undefined) return { requests: 0, wrong: 1 };
  const { counts, errors, found } = driven;
  const sum = total(counts.values());
  const wrong = wrongs.reduce((all, name) => all + sum[name], 0) + errors.length;
  if (found === undefined) return { requests: sum.requests, wrong };
  return { requests: found.requests, wrong: wrong + found.leaked.length + found.missed.length };
}

function tell(driven: Driven | undefined): void {
  for (const [shape, found] of driven?.counts ?? []) {
    const bad = wrongs.filter((name) => found[name] > 0).map((name) => `${name} ${found[name]}`);
    if (bad.length > 0) console.log(`  ${shape}: ${bad.join(", ")} of ${found.requests}`);
  }
  for (const text of [...(driven?.errors ?? []), ...(driven?.found?.leaked ?? []), ...(driven?.found?.missed ?? [])])
    console.log(`  ${text}`);
}
