/**
 * How long builds take, beside esbuild without the plugin and the TypeScript compilers on the same project; all in one run,
 * interleaved, each in a process of its own. `npm run build && node bench/build.ts [rounds] [sizes] [--json FILE]`, sizes
 * as `100,1000,5/3000` (tools/files). Needs GNU time for processor time and memory.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Contender, contenders, installedPeers } from "./contenders.ts";
import { makeProject } from "./make-project.ts";

interface Sample {
  /** Milliseconds. */
  readonly wall: number;
  /** Milliseconds of processor time, children included. */
  readonly cpu: number;
  /** Megabytes of the largest process. */
  readonly memory: number;
}

interface Row extends Sample {
  readonly size: string;
  readonly name: string;
  readonly runs: number;
}

function run({ command, before }: Contender, folder: string): Sample {
  before?.(folder);
  const report = join(folder, "time.txt");
  const started = performance.now();
  const { status, stderr } = spawnSync("time", ["-f", "%U %S %M", "-o", report, ...command], {
    cwd: folder,
    encoding: "utf8",
  });
  const wall = performance.now() - started;
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}: ${stderr}`);
  const [user = 0, system = 0, kilobytes = 0] = readFileSync(report, "utf8").trim().split(" ").map(Number);
  return { wall, cpu: (user + system) * 1000, memory: kilobytes / 1024 };
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}

function measure(size: string, rounds: number, all: readonly Contender[]): readonly Row[] {
  const [tools = 100, files = 0] = size.split("/").map(Number);
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  try {
    makeProject({ folder, tools, files });
    const samples = new Map<string, Sample[]>(all.map(({ name }) => [name, []]));
    for (let round = -1; round < rounds; round++) {
      // The first round warms the caches of the disk and of compiled code, and does not count.
      for (const one of all) {
        const sample = run(one, folder);
        if (round >= 0) samples.get(one.name)?.push(sample);
      }
    }
    return [...samples].map(([name, list]) => ({
      size,
      name,
      runs: list.length,
      wall: median(list.map(({ wall }) => wall)),
      cpu: median(list.map(({ cpu }) => cpu)),
      memory: median(list.map(({ memory }) => memory)),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(rows: readonly Row[]): void {
  const reference = rows.find(({ name }) => name.startsWith("tsc 6"));
  console.log(`\n${rows[0]?.size ?? ""} tools${rows[0]?.size.includes("/") === true ? "/files" : ""}`);
  console.log(
    `${"".padEnd(26)}${["wall ms", "cpu ms", "MB", "cpu / tsc 6"].map((title) => title.padStart(12)).join("")}`,
  );
  for (const { name, wall, cpu, memory } of rows) {
    const ratio = reference === undefined ? "" : (cpu / reference.cpu).toFixed(2);
    console.log(`${name.padEnd(26)}${[wall, cpu, memory, ratio].map((cell) => String(cell).padStart(12)).join("")}`);
  }
}

const words = process.argv.slice(2);
const at = words.indexOf("--json");
const [file] = at < 0 ? [] : words.splice(at, 2).slice(1);
const [rounds = "5", sizes = "100,1000,5/3000"] = words;
const all = [...contenders, ...(await installedPeers())];
const load = loadavg()[0]?.toFixed(1);
const results = sizes.split(",").map((size) => measure(size, Number(rounds), all));
for (const rows of results) print(rows);
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "?"}, Node ${process.version}, load ${load} → ${loadavg()[0]?.toFixed(1)}`;
console.log(`\n${machine}, medians of ${rounds}`);
if (file !== undefined) writeFileSync(file, `${JSON.stringify({ machine, rows: results.flat() }, null, 2)}\n`);
