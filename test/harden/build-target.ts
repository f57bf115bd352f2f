import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/**
 * Builds the attacked service as a user does, into a folder that must exist. Returns the path of the bundle.
 *
 * @param from "package": what `npm pack` makes of the built project, installed in the folder; "sources": the project
 */
export function buildTarget(folder: string, from: "package" | "sources"): string {
  mkdirSync(join(folder, "src"), { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  const compilerOptions = from === "package" ? common : { ...common, paths };
  write("package.json", `${JSON.stringify({ name: "harden", version: "1.0.0", private: true, type: "module" })}\n`);
  write("tsconfig.json", `${JSON.stringify({ compilerOptions, include: ["src"] })}\n`);
  write("src/service.ts", serviceText);
  const command = from === "package" ? join(installPacked(folder), "dist/cli/main.js") : join(root, "cli/main.ts");
  run(process.execPath, [command, "build", "src/service.ts", "--outdir", "dist"], folder);
  return join(folder, "dist/service.mjs");
}

/** Installs the packed project; its dependencies are those of the project, which the folder is in. */
function installPacked(folder: string): string {
  const [{ filename }] = JSON.parse(
    run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root),
  ) as [{ readonly filename: string }];
  const installed = join(folder, "node_modules/tenon");
  mkdirSync(installed, { recursive: true });
  run("tar", ["-xzf", join(folder, filename), "-C", installed, "--strip-components=1"], folder);
  return installed;
}

function run(command: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}:\n${stdout}${stderr}`);
  return stdout;
}

const common = {
  target: "es2024",
  lib: ["es2024", "esnext.disposable"],
  module: "nodenext",
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};
const paths = { tenon: [join(root, "runtime/index.ts")] };

const serviceText = `import { getHeapStatistics } from "node:v8";
import { Service, startLambdaServer } from "tenon";
import type { JobContext } from "tenon";

/** @schema urn:harden:schema.is-prime.request.1 */
export interface PrimeRequest {
  /** The number to test. @type uint32 */
  number: number;
  /** Purpose of the number. @maxLength 1000 */
  note?: string;
  /** Words to find it by. */
  tags?: string[];
}

/** @schema urn:harden:schema.is-prime.1 */
export interface PrimeResult {
  /** The number that was tested. */
  number: number;
  /** True when it is prime. */
  isPrime: boolean;
}

/**
 * Tests whether a number is prime.
 * @tool
 */
export function isPrime({ number }: PrimeRequest): PrimeResult {
  let divisor = 2;
  while (divisor * divisor <= number && number % divisor !== 0) divisor++;
  return { number, isPrime: number > 1 && divisor * divisor > number };
}

/**
 * Says what it was told.
 * @tool
 * @param text - What to say.
 */
export function echo(text: string): string {
  return text;
}

/**
 * A long text.
 * @tool
 * @param bytes - How long.
 */
export function large(bytes: number): string {
  return "x".repeat(bytes);
}

/**
 * Takes its time.
 * @tool
 * @param text - What to remember meanwhile.
 * @param milliseconds - How long.
 */
export async function hold(text: string, milliseconds: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return text.length;
}

/**
 * Waits for days.
 * @tool
 * @param text - What to remember meanwhile.
 */
export async function parked(text: string, job: JobContext): Promise<number> {
  await job.sleep("3 days");
  return text.length;
}

const begun = Promise.withResolvers<void>();

/**
 * Reports some events, and as many again once it may go on.
 * @tool
 * @param events - How many.
 */
export async function watched(events: number, job: JobContext): Promise<number> {
  using report = job.report.step("watched");
  for (let at = 0; at < events; at++) report.info({ progress: at, total: events, message: "so far so good" });
  await begun.promise;
  for (let at = 0; at < events; at++) {
    report.info({ progress: at, total: events, message: "going on" });
    if (at % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return events;
}

/**
 * Lets the other one go on.
 * @tool
 */
export function goOn(): void {
  begun.resolve();
}

const server = await startLambdaServer(new Service({ name: "Harden" }));
// Processor time between two turns of the event loop, which other work on the machine does not change.
const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let [at, longest] = [cpu(), 0];
setInterval(() => {
  const now = cpu();
  longest = Math.max(longest, now - at);
  at = now;
}, 5).unref();
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed: heap } = process.memoryUsage();
  process.send?.({ cpu: user + system, rss, longest, heap, mostHeap: getHeapStatistics().heap_size_limit });
  longest = 0;
});
process.on("disconnect", () => process.exit(0));
process.send?.({ port: Number(new URL(server.url).port) });
`;
