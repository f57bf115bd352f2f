/**
 * Runs all checks that are not tests, in parallel on all processors, and prints the output of those that fail. `npm run
 * static`, after `npm run build`.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** Scripts of package.json; the longest first. */
const checks = ["types", "package", "deadcode", "borders", "words", "supply", "release:dry", "lint", "format:check"];

const waiting = checks.values();
const worker = async (): Promise<void> => {
  for (const name of waiting) await run(name);
};
await Promise.all(Array.from({ length: availableParallelism() }, worker));

async function run(name: string): Promise<void> {
  const started = performance.now();
  const child = spawn("npm", ["run", "--silent", name], { env: { ...process.env, FORCE_COLOR: "0" } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${name}, ${seconds} s`);
  if (status === 0) return;
  process.exitCode = 1;
  console.log(`${output.trimEnd()}\n`);
}
