/**
 * `npm run bundlers [NAME…]`: builds a service with each framework of `docs/bundlers.md` that is too large for the
 * tests, with the page's own configuration, serves the output and calls the tool. Installs them into
 * `test/bundlers/hosts` first, 660 MB; `npm run build` must have run.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { bundlerHosts, type BundlerHost } from "./bundlers/hosts.ts";
import { freePort } from "../test/support/free-port.ts";

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const folder = resolve("test/bundlers/hosts");
const modules = join(folder, "node_modules");
const [, tool = ""] = /^```ts\n(\/\/ src\/is-prime\.ts\n.*?)^```/ms.exec(readFileSync("README.md", "utf8")) ?? [];

const compilerOptions = { module: "esnext", moduleResolution: "bundler", target: "es2024", strict: true, noEmit: true };

function run(words: readonly string[], cwd: string): void {
  const [command = "", ...rest] = words;
  const { status, stdout, stderr } = spawnSync(command, rest, { cwd, encoding: "utf8", env: environment(0) });
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}:\n${`${stdout}${stderr}`.slice(-4000)}`);
}

/** Variables of the shell without those of npm's own run, which frameworks take for theirs. */
function environment(port: number): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  const quiet = { CI: "1", NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1" };
  return { PATH, HOME, ...quiet, HOST: "127.0.0.1", HOSTNAME: "127.0.0.1", PORT: String(port) };
}

/** Installs the frameworks once, and the package as it would be published. */
function install(): void {
  const { dependencies: frameworks } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  if (!Object.keys(frameworks).every((name) => existsSync(join(modules, name))))
    run(["npm", "install", "--no-audit", "--no-fund", "--no-package-lock"], folder);
  const own = join(modules, "tenon");
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  run(["npm", "pack", "--ignore-scripts", "--pack-destination", own], process.cwd());
  const { version, dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
  run(["tar", "-xzf", join(own, `tenon-${version}.tgz`), "-C", own, "--strip-components", "1"], folder);
  // In its own versions: frameworks bring others of some.
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(own, "node_modules", name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(own, "node_modules", name));
  }
}

function makeProject({ name, page = "docs/bundlers.md", config, files }: BundlerHost): string {
  const root = join(folder, ".cache", name.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
  rmSync(root, { recursive: true, force: true });
  const all: Record<string, string> = {
    "package.json": '{ "name": "primes", "version": "1.0.0", "private": true, "type": "module" }\n',
    "tsconfig.json": JSON.stringify({ compilerOptions: { ...compilerOptions, jsx: "preserve" } }),
    "src/is-prime.ts": tool,
    ...files,
  };
  if (config !== undefined) {
    const block = new RegExp(`^\`\`\`(?:m?js|ts)\\n(// ${config.replaceAll(".", "\\.")}.*?)^\`\`\``, "ms");
    const [, text] = block.exec(readFileSync(page, "utf8")) ?? [];
    if (text === undefined) throw new Error(`${page} has no ${config}`);
    all[config] = text;
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** A file of the project, or one of a package. */
const programOf = (file: string): string => (file.startsWith("./") ? file : join(modules, file));

/** Serves the build and calls the tool; returns status and text of the answer. */
async function callServed(
  { serve, path }: BundlerHost & { readonly serve: readonly string[] },
  root: string,
): Promise<string> {
  const port = await freePort();
  const [file = "", ...flags] = serve;
  const child = spawn(process.execPath, [programOf(file), ...flags], { cwd: root, env: environment(port) });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (said += String(piece)));
  const ended = once(child, "exit");
  try {
    const request = { method: "POST", headers: { "content-type": "application/json" }, body: '{"number":997}' };
    for (let tries = 0; tries < 300 && child.exitCode === null; tries++) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, request).catch(() => undefined);
      if (answer !== undefined) return `${answer.status} ${await answer.text()}`;
      await wait(100);
    }
    throw new Error(`It does not answer:\n${said.slice(-4000)}`);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

const expected = '200 {"$schema":"urn:example:schema.is-prime.1","number":997,"isPrime":true}';
install();
const chosen = process.argv.slice(2).map((name) => name.toLowerCase());
let failures = 0;
for (const host of bundlerHosts) {
  if (chosen.length > 0 && !chosen.some((name) => host.name.toLowerCase().includes(name))) continue;
  try {
    const root = makeProject(host);
    for (const words of host.build) {
      const file = words.findIndex((word) => !word.startsWith("-"));
      run([process.execPath, ...words.with(file, programOf(words[file] ?? ""))], root);
    }
    const { serve } = host;
    const answer = serve === undefined ? expected : await callServed({ ...host, serve }, root);
    if (answer !== expected) throw new Error(`Its answer is ${answer.slice(0, 2000)}`);
    console.log(`ok      ${host.name}`);
  } catch (error) {
    if (host.refusal !== undefined && (error as Error).message.includes(host.refusal)) {
      console.log(`ok      ${host.name}`);
      continue;
    }
    failures += 1;
    console.log(`FAILED  ${host.name}\n${(error as Error).message}`);
  }
}
if (failures > 0) process.exitCode = 1;
