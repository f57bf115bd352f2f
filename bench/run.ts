/**
 * Runs every benchmark and writes what README shows: `bench/results/<name>.json` of each, `docs/benchmarks.md`,
 * `docs/growth.md` and a plot of each figure in `docs/benchmarks/`. `npm run bench [-- --quick] [-- name …]`; with names it makes these anew,
 * and quick, it writes `bench/results/quick.json` and nothing else. A script that fails is named at the
 * end, and the others go on.
 */
import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Figure, isReached } from "./lib/figure.ts";
import { machineLine } from "./lib/machine.ts";
import { curvesSvg } from "./lib/curves.ts";
import { growthPage } from "./lib/growth-page.ts";
import { plotSvg } from "./lib/plot.ts";
import type { Report } from "./lib/script.ts";
import { benchmarksPage } from "./lib/page.ts";
import { goalText } from "./lib/table.ts";

/** In the order of the page. A name is a file of this folder. */
const scripts = [
  "build",
  "dev",
  "editor",
  "start",
  "rest",
  "mcp",
  "validate",
  "store",
  "store-postgres",
  "durable",
  "platform",
  "telemetry",
  "outbound",
  "console",
  "playground",
];
/** Take minutes each, so they run only when they are named. */
const soaks = ["large-types", "growth", "memory"];
const folder = import.meta.dirname;
const root = join(folder, "..");

const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: "boolean" } } });
const known = [...scripts, ...soaks];
/** A name stands for its parts, too: `store` for `store-postgres`. */
const isNamed = (name: string, by: string): boolean => name === by || name.startsWith(`${by}-`);
const unknown = positionals.filter((by) => !known.some((name) => isNamed(name, by)));
if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
if (!existsSync(join(root, "dist/plugin/bundlers/esbuild.js")))
  throw new Error("dist/ is missing: run `npm run build` first.");
if (!existsSync(join(folder, "node_modules")))
  console.error("The peers are not installed, so that their rows are missing: `npm ci --prefix bench`.");

const results = join(folder, "results");
mkdirSync(results, { recursive: true });
const chosen = positionals.length === 0 ? scripts : known.filter((name) => positionals.some((by) => isNamed(name, by)));
const before = machineLine();
const started = performance.now();
const temporary = mkdtempSync(join(tmpdir(), "tenon-bench-"));
const figures: Figure[] = [];
const failed: string[] = [];
for (const [index, name] of chosen.entries()) {
  const seconds = Math.round((performance.now() - started) / 1000);
  console.error(`[${index + 1}/${chosen.length}] ${name}, after ${seconds} s`);
  const file = join(temporary, `${name}.json`);
  const words = [join(folder, `${name}.ts`), "--json", file, ...(values.quick === true ? ["--quick"] : [])];
  const status = await new Promise<number | null>((resolve) => {
    spawn(process.execPath, words, { stdio: "inherit", cwd: root }).once("close", resolve);
  });
  if (status !== 0 || !existsSync(file)) failed.push(name);
  else {
    figures.push(...readReport(file).figures);
    if (values.quick !== true) copyFileSync(file, join(results, `${name}.json`));
  }
}
rmSync(temporary, { recursive: true, force: true });

if (values.quick === true) {
  const report: Report & { readonly failed: readonly string[] } = { machine: machineLine(before), figures, failed };
  writeFileSync(join(results, "quick.json"), `${JSON.stringify(report, null, 2)}\n`);
} else {
  writePages();
}
const missed = figures.flatMap(({ name, goals }) =>
  goals.filter((goal) => !isReached(goal)).map((goal) => ({ name, goal })),
);
console.log(`\n${figures.length} figures in ${Math.round((performance.now() - started) / 1000)} s`);
for (const { name, goal } of missed) console.log(`missed: ${name}: ${goalText(goal)}`);
if (failed.length > 0) {
  console.error(`These ended with an error, see above: ${failed.join(", ")}.`);
  process.exitCode = 1;
}

function readReport(file: string): Report {
  return JSON.parse(readFileSync(file, "utf8")) as Report;
}

/** Writes the pages from the last run of each script. */
function writePages(): void {
  const plots = join(root, "docs/benchmarks");
  mkdirSync(plots, { recursive: true });
  for (const stale of globSync("*.svg", { cwd: plots })) rmSync(join(plots, stale));
  const reports = known
    .map((name) => ({ name, file: join(results, `${name}.json`) }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, ...readReport(file) }));
  for (const figure of reports.flatMap((report) => report.figures))
    writeFileSync(join(plots, `${figure.id}.svg`), figure.curves === undefined ? plotSvg(figure) : curvesSvg(figure));
  const growth = reports.find(({ name }) => name === "growth");
  writeFileSync(join(root, "docs/benchmarks.md"), benchmarksPage(reports.filter((report) => report !== growth)));
  if (growth !== undefined) writeFileSync(join(root, "docs/growth.md"), growthPage(growth));
}
