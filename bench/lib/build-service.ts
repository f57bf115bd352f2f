import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

interface ServiceOptions {
  /** Compiled code beside the chunks; default true. */
  readonly codeCache?: boolean;
  /** Built by the package instead of the sources, in which the console is not bundled; default false. */
  readonly isPackage?: boolean;
}

/** Creates a service with `tools` tools, builds it as a user does, and returns the path of the bundle. */
export function buildService(tools: number, { codeCache = true, isPackage = false }: ServiceOptions = {}): string {
  const folder = join(root, `bench/.cache/service-${tools}${codeCache ? "" : "-plain"}${isPackage ? "-package" : ""}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "src"), { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  write(
    "package.json",
    `${JSON.stringify({ name: "bench-service", version: "1.0.0", private: true, type: "module" })}\n`,
  );
  write("tsconfig.json", `${JSON.stringify({ compilerOptions, include: ["src"] })}\n`);
  write("src/service.ts", serviceText(tools));
  return buildFolder(folder, isPackage ? "dist/cli/main.js" : "cli/main.ts", codeCache ? [] : ["--no-code-cache"]);
}

/** Builds the service of a folder by the command line in a file of the repository; returns the path of the bundle. */
export function buildFolder(folder: string, cli: string, flags: readonly string[] = []): string {
  const words = [join(root, cli), "build", "src/service.ts", "--outdir", "dist", ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`The service does not build:\n${stdout}${stderr}`);
  return join(folder, "dist/service.mjs");
}

/** Options of TypeScript in the projects of benchmarks. */
export const compilerOptions = {
  target: "es2024",
  lib: ["es2024", "esnext.disposable"],
  module: "nodenext",
  types: ["node"],
  paths: { tenon: [join(root, "runtime/index.ts")] },
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

function serviceText(tools: number): string {
  const more = Array.from({ length: tools - 2 }, (_, index) => toolText(`isPrime${index + 1}`, false));
  return `import { Service, startLambdaServer } from "tenon";

/** @schema urn:bench:schema.is-prime.request.1 */
export interface PrimeRequest {
  /** The number to test. @type uint32 */
  number: number;
  /** What it is for. @maxLength 1000 */
  note?: string;
  /** Words to find it by. */
  tags?: string[];
}

/** @schema urn:bench:schema.is-prime.1 */
export interface PrimeResult {
  /** The number that was tested. */
  number: number;
  /** Whether it is prime. */
  isPrime: boolean;
}

function test(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return number > 1;
}

${[toolText("isPrime", false), toolText("isPrimeLater", true), ...more].join("\n")}
const server = await startLambdaServer(new Service({ name: "Bench" }));
const port = Number(new URL(server.url).port);
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ port });
`;
}

function toolText(name: string, isAsync: boolean): string {
  const result = isAsync ? "Promise<PrimeResult>" : "PrimeResult";
  return `/**
 * Tests whether a number is prime.
 * @tool
 * @readonly
 */
export ${isAsync ? "async " : ""}function ${name}(request: PrimeRequest): ${result} {
  return { number: request.number, isPrime: test(request.number) };
}
`;
}
