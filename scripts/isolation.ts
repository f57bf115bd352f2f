/**
 * Token isolation, the full run: 1,000 concurrent jobs × 20 requests × every shape of client, direct and proxied, and
 * the naive control, which must go red. `npm run isolation`; arguments: `--jobs N --requests N --node FILE --minify
 * --unbundled --shapes a,b --direct`.
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
    jobs: { type: "string", default: "1000" },
    requests: { type: "string", default: "20" },
    node: { type: "string" },
    minify: { type: "boolean", default: true },
    unbundled: { type: "boolean", default: false },
    direct: { type: "boolean", default: false },
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
const size = { jobs: Number(values.jobs), requests: Number(values.requests), outside: true };
const shapes = values.shapes === undefined ? {} : { shapes: values.shapes.split(",") };
const node = values.node === undefined ? {} : { node: values.node };

async function report(title: string, entry: Entry, run: Parameters<typeof drive>[1]): Promise<number> {
  const began = performance.now();
  const { counts, errors, sent } = await drive(entry, run);
  const sum = total(counts.values());
  const wrong = wrongs.reduce((all, name) => all + sum[name], 0);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`\n${title}: ${sent} calls of ${size.jobs} jobs, ${sum.requests} requests, ${counts.size} shapes, ${seconds} s`);
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
  const wrong =
    (await report("direct", entry, { ...size, ...shapes, proxied: false, rule: "tenon" })) +
    (values.direct ? 0 : await report("proxied", entry, { ...size, ...shapes, proxied: true, rule: "tenon" }));
  const control = await report("naive control, which must be wrong", { file: plain, ...node }, {
    ...size,
    jobs: Math.min(size.jobs, 200),
    proxied: false,
    rule: "naive",
    shapes: ["fetch pool of 2", "undici 7 RetryAgent", "undici 8 RetryAgent", "undici 7 pool of 2"],
  });
  console.log(wrong === 0 && control > 0 ? "\nisolated" : `\nNOT ISOLATED: ${wrong} wrong, control ${control}`);
  process.exitCode = wrong === 0 && control > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
