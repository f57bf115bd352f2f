/**
 * Milliseconds from the save of a tool to the first answer of the new code, in a project of 100 tools: `tenon dev`, a
 * Vite dev server with the plugin (its module runner imports the tool and calls it), and as a peer a bare server under
 * `node --watch`. Then the megabytes of `tenon dev` and of the process that it serves in, idle, before and after 200
 * saves. `node bench/dev.ts [--quick] [--json FILE]` after `npm run build`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer, isRunnableDevEnvironment } from "vite";
import type vite from "../plugin/bundlers/vite.ts";
import { atMost, type Figure } from "./lib/figure.ts";
import { memoryOf } from "./lib/memory-of.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { makeProject } from "./make-project.ts";

/** A server that serves a file and reloads it after changes. */
interface Watched {
  /** Changes the answer of the code to `word`. */
  edit(word: string): void;
  /** Its current answer; undefined while there is none. */
  answer(): Promise<string | undefined>;
  /** Megabytes of all its processes. */
  memory(): number;
  stop(): Promise<void>;
}

const { quick, progress, finish } = benchScript();
const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "tenon-bench-dev-"));
const patience = 30_000;
const request = {
  center: { latitude: 0, longitude: 0 },
  radius: 10,
  query: "h",
  kinds: ["road"],
  order: { by: "distance", descending: true },
};

async function openTenonDev(): Promise<Watched> {
  const place = join(folder, "tenon");
  makeProject({ folder: place, tools: 100 });
  const [child, url] = await start([join(root, "dist/cli/main.js"), "dev", "--port", "0"], place);
  return { edit: editTool(place), answer: () => post(`${url}/tool/tool1`, request), ...processOf(child) };
}

async function openVite(): Promise<Watched> {
  const place = join(folder, "vite");
  makeProject({ folder: place, tools: 100 });
  const { default: tenon } = (await import(join(root, "dist/plugin/bundlers/vite.js"))) as { default: typeof vite };
  const server = await createServer({
    root: place,
    configFile: false,
    logLevel: "silent",
    server: { middlewareMode: true, ws: false },
    plugins: [tenon()],
  });
  const { ssr } = server.environments;
  if (ssr === undefined || !isRunnableDevEnvironment(ssr)) throw new Error("Vite has no module runner.");
  await ssr.runner.import("/src/tools/tool-0.ts");
  return {
    edit: editTool(place),
    async answer() {
      const { tool1 } = (await ssr.runner.import("/src/tools/tool-1.ts")) as {
        tool1: (given: typeof request, job: object) => unknown;
      };
      return JSON.stringify(tool1(request, {}));
    },
    memory: () => memoryOf(process.pid),
    stop: () => server.close(),
  };
}

async function openNodeWatch(): Promise<Watched> {
  const place = join(folder, "watch");
  mkdirSync(place);
  const file = join(place, "server.mjs");
  const port = 20_000 + (process.pid % 20_000);
  copyFileSync(join(root, "bench/servers/start-bare.mjs"), file);
  const text = readFileSync(file, "utf8").replace("listen(0,", `listen(${port},`);
  writeFileSync(file, text);
  const [child] = await start(["--watch", file], place);
  return {
    edit: (word) => writeFileSync(file, text.replace("isPrime: true", `isPrime: "${word}"`)),
    answer: () => post(`http://127.0.0.1:${port}/`, { number: 1 }),
    ...processOf(child),
  };
}

function editTool(place: string): (word: string) => void {
  const file = join(place, "src/tools/tool-1.ts");
  const text = readFileSync(file, "utf8");
  return (word) => writeFileSync(file, text.replace("labels: [label]", `labels: ["${word}"]`));
}

/** Starts the process and reads its address from standard error. */
async function start(words: readonly string[], cwd: string): Promise<readonly [ChildProcess, string]> {
  const child = spawn(process.execPath, words, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise<string>((found, failed) => {
    child.once("exit", (code) => failed(new Error(`${words.join(" ")} ended with ${code}.`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      const at = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (at !== null) found(at[0]);
    });
  });
  return [child, url];
}

function processOf(child: ChildProcess): Pick<Watched, "memory" | "stop"> {
  return { memory: () => memoryOf(child.pid ?? 0), stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGINT");
  await ended;
}

async function post(url: string, body: object): Promise<string | undefined> {
  try {
    const headers = { "content-type": "application/json" };
    return await (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
  } catch {
    return undefined;
  }
}

let saves = 0;
/** Milliseconds from a save to the first answer of the saved code. */
async function save({ edit, answer }: Watched): Promise<number> {
  const word = `save-${saves++}`;
  // Pauses, as people do between saves.
  await sleep(300);
  const saved = performance.now();
  edit(word);
  while (performance.now() - saved < patience) {
    if ((await answer())?.includes(word) === true) return performance.now() - saved;
    await sleep(1);
  }
  throw new Error(`A save was not answered within ${patience} ms.`);
}

/** How much `tenon dev` takes when nothing happens, and how much of that each save leaves behind. */
async function measureMemory(watched: Watched): Promise<Figure> {
  const counts = quick ? [0, 10, 20] : [0, 100, 200];
  const taken: { readonly contender: string; readonly median: number; readonly spread: number }[] = [];
  let done = 0;
  for (const count of counts) {
    for (; done < count; done++) await save(watched);
    progress(`dev: memory after ${count} saves`);
    // Idle: V8 gives back what it does not need.
    await sleep(quick ? 1000 : 10_000);
    taken.push({ contender: `tenon dev, ${count} saves later`, median: watched.memory(), spread: 0 });
  }
  const [first = Number.NaN, , last = Number.NaN] = taken.map(({ median }) => median);
  return {
    id: "dev-memory",
    name: "Memory of tenon dev, idle, 100 tools, all processes",
    unit: "MB",
    better: "lower",
    rows: taken,
    goals: [
      atMost(200, `tenon dev, ${counts[2]} saves later`, last, "MB"),
      atMost(20, `growth over ${counts[2]} saves`, last - first, "MB"),
    ],
  };
}

const goal = 100;
const opened: Watched[] = [];
try {
  progress("dev: starting");
  const contenders = [
    ["tenon dev", await openTenonDev()],
    ["tenon, Vite dev server", await openVite()],
    ["node --watch, bare server", await openNodeWatch()],
  ] as const;
  opened.push(...contenders.map(([, watched]) => watched));
  const samples = await interleave(
    contenders.map(([name, watched]) => ({ name, sample: async () => ({ wall: await save(watched) }) })),
    {
      rounds: quick ? 3 : 15,
      warmups: quick ? 1 : 2,
      onRound: (round) => round % 5 === 0 && progress(`dev: save ${round + 1}`),
    },
  );
  const memory = await measureMemory(contenders[0][1]);
  finish([
    {
      id: "dev",
      name: "From a save to the first answer of the new code, 100 tools",
      unit: "ms",
      better: "lower",
      rows: samples.rows("wall"),
      goals: contenders
        .filter(([name]) => name.startsWith("tenon"))
        .map(([name]) => atMost(goal, `${name}, median`, samples.median("wall", name), "ms")),
    },
    memory,
  ]);
} finally {
  await Promise.all(opened.map(({ stop }) => stop()));
  rmSync(folder, { recursive: true, force: true });
}
