/**
 * How long a server takes from its start to its first answer: the example `is-prime` as `tenon build`, README's esbuild
 * build and Vite bundle it (also with compiled code that Node has stored), a bare `node:http` server, and Fastify and
 * Hono bundled by esbuild. `node bench/start.ts [--quick] [--json FILE]` after `npm run build`.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { atMost, type Goal } from "./lib/figure.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";

const { quick, progress, finish } = benchScript();
const root = resolve(import.meta.dirname, "..");
const cache = join(root, "bench/.cache/start");
const hasPeers = existsSync(join(root, "bench/node_modules/fastify"));

interface Server {
  readonly name: string;
  /** Path of the file that Node runs. */
  readonly entry: string;
  readonly flags: readonly string[];
  /** Set in its process, beside `PATH`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Copies the example to where an author would build it. */
function copyExample(): string {
  const folder = join(cache, "is-prime");
  mkdirSync(folder, { recursive: true });
  for (const name of ["src", "package.json", "tsconfig.json", "resources.json"])
    cpSync(join(root, "examples/is-prime", name), join(folder, name), { recursive: true });
  if (!existsSync(join(folder, "node_modules")))
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  return folder;
}

/** Builds the example in a folder of its name. */
function buildTenon(outdir: string, ...options: readonly string[]): string {
  return buildIn(outdir, [join(root, "dist/cli/main.js"), "build", "--no-cache", "--outdir", outdir, ...options]);
}

/** Builds the example by a script that an author writes. */
function buildByScript(outdir: string, script: string): string {
  return buildIn(outdir, ["--input-type=module", "--eval", script]);
}

function buildIn(outdir: string, words: readonly string[]): string {
  const folder = copyExample();
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`The example does not build: ${stderr}`);
  return join(folder, outdir, "service.mjs");
}

const byEsbuild = `
import { build } from "esbuild";
import tenon from "tenon/esbuild";
await build({ entryPoints: ["src/service.ts"], bundle: true, outdir: "esbuild", plugins: [tenon()] });`;

const byVite = `
import { build } from "vite";
import tenon from "tenon/vite";
await build({ logLevel: "error", plugins: [tenon()], build: { ssr: "src/service.ts", outDir: "vite" } });`;

async function bundlePeer(name: string): Promise<string> {
  const entry = join(root, `bench/servers/start-${name}.mjs`);
  const outfile = join(cache, `${name}.mjs`);
  if (name === "bare") copyFileSync(entry, outfile);
  else {
    const banner = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      banner: { js: banner },
    });
  }
  return outfile;
}

/** Milliseconds from the start of the process to its complete first answer. */
async function firstAnswer({ entry, flags, env = {} }: Server, end: NodeJS.Signals = "SIGKILL"): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [entry, ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  const ended = once(child, "exit");
  try {
    for await (const line of createInterface({ input: child.stderr })) {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url === undefined) continue;
      await post(`${url}/tool`);
      return performance.now() - started;
    }
    throw new Error(`${entry} ended before it listened.`);
  } finally {
    child.kill(end);
    await ended;
  }
}

function post(url: string): Promise<void> {
  const body = '{"number":997}';
  const headers = { "content-type": "application/json", "content-length": body.length };
  return new Promise((answered, failed) => {
    const sent = request(url, { method: "POST", headers, agent: false }, (response) => {
      if (response.statusCode !== 200) failed(new Error(`${url} answered ${response.statusCode}.`));
      response.resume().once("end", () => answered());
    });
    sent.once("error", failed).end(body);
  });
}

rmSync(cache, { recursive: true, force: true });
mkdirSync(cache, { recursive: true });
const tenon = buildTenon("dist");
const bare = await bundlePeer("bare");
const plain = ["--host", "127.0.0.1", "--port", "0"];
const scripted = [
  { name: "tenon, built by esbuild", entry: buildByScript("esbuild", byEsbuild), flags: plain },
  { name: "tenon, built by Vite", entry: buildByScript("vite", byVite), flags: plain },
];
/** As an image has them in which the service ran once: Node wrote compiled code when it ended. */
const warmed: readonly Server[] = scripted.map((server) => ({
  ...server,
  name: `${server.name}, NODE_COMPILE_CACHE`,
  env: { NODE_COMPILE_CACHE: join(cache, "compiled") },
}));
for (const server of warmed) await firstAnswer(server, "SIGTERM");
const servers: readonly Server[] = [
  { name: "bare node:http", entry: bare, flags: [] },
  { name: "tenon, REST", entry: tenon, flags: plain },
  { name: "tenon, without compiled code", entry: buildTenon("plain", "--no-code-cache"), flags: plain },
  ...scripted,
  ...warmed,
  { name: "tenon, REST and MCP", entry: tenon, flags: [...plain, "--with-mcp"] },
  ...(hasPeers
    ? [
        { name: "Fastify, bundled", entry: await bundlePeer("fastify"), flags: [] },
        { name: "Hono with zod, bundled", entry: await bundlePeer("hono"), flags: [] },
      ]
    : []),
];
const samples = await interleave(
  servers.map((server) => ({ name: server.name, sample: async () => ({ wall: await firstAnswer(server) }) })),
  {
    rounds: quick ? 3 : 21,
    warmups: quick ? 1 : 2,
    onRound: (round) => round % 5 === 0 && progress(`start: round ${round + 1}`),
  },
);
const goal = (most: number, name: string): Goal =>
  atMost(most, `${name} ÷ bare node:http`, samples.ratio("wall", name, "bare node:http"));
finish([
  {
    id: "start",
    name: "Start of a server, spawn to first answer",
    unit: "ms",
    better: "lower",
    rows: samples.rows("wall"),
    goals: [goal(0.8, "tenon, REST"), ...warmed.map(({ name }) => goal(0.9, name))],
  },
]);
