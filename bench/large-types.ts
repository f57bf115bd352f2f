/**
 * One tool that takes the largest type of a well-known package: `tsc` on it, and the build of it by tenon,
 * ts-json-schema-generator (schemas alone) and unplugin-typia, each in a process of its own, about four minutes in all.
 * A rival that takes more than ten seconds is ended, twice what a build by tenon may take. `npm run build && node
 * bench/large-types.ts [package …] [--quick] [--json FILE]`; needs `npm ci --prefix bench`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { atMost, type Figure, type Row } from "./lib/figure.ts";
import { summarise } from "./lib/rounds.ts";
import { type ProcessEnd, tookTooLong, tryProcess } from "./lib/run-process.ts";
import { benchScript } from "./lib/script.ts";
import { formatNumber } from "./lib/table.ts";
import { makeTypeProject, type TypeCase, typeCases } from "./type-cases.ts";

const { quick, words, progress, finish } = benchScript();
const here = import.meta.dirname;
/** Seconds after which a process is ended. */
const [ownLimit, rivalLimit] = [60, 10];
/** Milliseconds above which a build is measured once: a slow one varies little. */
const slow = 3000;
const named = typeCases.filter(({ name }) => words.some((word) => name.startsWith(word)));
const chosen =
  named.length > 0 ? named : quick ? typeCases.filter(({ name }) => /estree|grammy/.test(name)) : typeCases;

const rounds = quick ? 1 : 3;
/** Prints when a build names its type as too large, in milliseconds since its start. */
const noteTold = `data:text/javascript,${encodeURIComponent(
  "const write = process.stderr.write.bind(process.stderr);" +
    "process.stderr.write = (text, ...rest) => {" +
    '  if (String(text).includes("(TN504)")) console.log("named after", Math.round(performance.now()));' +
    "  return write(text, ...rest);" +
    "};",
)}`;

/** In the order of columns. A quick row of tenon or of `tsc` is the median of several rounds, of a rival that of one. */
const contenders = [
  {
    name: "tsc 6 --noEmit",
    limit: ownLimit,
    command: [resolve(here, "../node_modules/typescript/bin/tsc"), "--noEmit"],
  },
  { name: "tenon, cold", limit: ownLimit, command: ["--import", noteTold, join(here, "build-once.mjs"), ".", "tenon"] },
  {
    name: "ts-json-schema-generator",
    limit: rivalLimit,
    // oxfmt-ignore
    command: [
      join(here, "node_modules/ts-json-schema-generator/bin/ts-json-schema-generator.js"),
      "--path", "src/service.ts", "--type", "LargeRequest", "--tsconfig", "tsconfig.json", "--no-type-check", "--out", "schemas.json",
    ],
  },
  { name: "unplugin-typia", limit: rivalLimit, command: [join(here, "build-typia.mjs"), "."] },
] as const;

/** Runs of one contender, whose medians count. */
interface Outcome extends Pick<ProcessEnd, "wall" | "memory"> {
  readonly spread: number;
  /** Milliseconds until the type was named as too large; undefined if it was not. */
  readonly told: number | undefined;
  /** A code of ours, or `fails`; undefined for success. */
  readonly reason: string | undefined;
}

function reasonOf({ status, output }: ProcessEnd, limit: number): string | undefined {
  if (status === 0) return undefined;
  // A large type is also named by TN504 while it is read, which does not end a build.
  return status === tookTooLong ? `> ${limit} s` : (/\bTN(?!504)\d{3}\b/.exec(output)?.[0] ?? "fails");
}

function measure(one: TypeCase): readonly Outcome[] {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-types-"));
  try {
    makeTypeProject(join(folder, "plain"), one, false);
    makeTypeProject(join(folder, "typia"), one, true);
    const ends = contenders.map((): ProcessEnd[] => []);
    for (let round = 0; round < rounds; round++) {
      const isSlow = ends.slice(0, 2).some(([first]) => first !== undefined && first.wall > slow);
      for (const [index, { name: contender, limit, command }] of contenders.entries()) {
        if (round > 0 && (isSlow || limit === rivalLimit)) continue;
        progress(`${one.name}, round ${round + 1}: ${contender}`);
        const place = join(folder, contender === "unplugin-typia" ? "typia" : "plain");
        rmSync(join(place, "node_modules/.cache"), { recursive: true, force: true });
        const end = tryProcess([process.execPath, ...command], place, limit);
        if (end.status !== 0) progress(`${contender}: ${reasonOf(end, limit)}`);
        ends[index]?.push(end);
      }
    }
    return ends.map((all, index) => {
      const { median: wall, spread } = summarise(all.map((end) => end.wall));
      const { median: memory } = summarise(all.map((end) => end.memory));
      const limit = contenders[index]?.limit ?? ownLimit;
      const reason = all.map((end) => reasonOf(end, limit)).find((one) => one !== undefined);
      const told = all
        .flatMap(({ output }) => /^named after (\d+)$/m.exec(output)?.[1] ?? [])
        .map(Number)
        .toSorted((a, b) => a - b);
      return { wall, spread, memory, reason, told: told[told.length >> 1] };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const seconds = (wall: number): string => `${formatNumber(wall / 1000)} s`;

/** `1.8 ×, 310 MB, named after 3 s`, or what went wrong. */
function cell({ wall, memory, reason, told }: Outcome, tsc: Outcome | undefined): string {
  if (reason?.startsWith(">") === true) return reason;
  const size = `${formatNumber(memory)} MB${told === undefined ? "" : `, named after ${seconds(told)}`}`;
  if (reason !== undefined) return `${reason} after ${seconds(wall)}, ${size}`;
  return tsc === undefined ? `${seconds(wall)}, ${size}` : `${formatNumber(wall / tsc.wall)} ×, ${size}`;
}

const lines: string[][] = [];
/** The type that took longest until it was built, or named as too large. */
let slowest = { name: "", wall: 0 };
const [time, memory]: [Row[], Row[]] = [[], []];
for (const type of chosen) {
  const { name } = type;
  const [tsc, ...others] = measure(type);
  const [own] = others;
  if (tsc === undefined || own === undefined) continue;
  lines.push([name, cell(tsc, undefined), ...others.map((other) => cell(other, tsc))]);
  const wall = Math.min(own.wall, own.told ?? Number.POSITIVE_INFINITY);
  if (wall > slowest.wall) slowest = { name, wall };
  time.push({ contender: `tenon, ${name}`, median: own.wall / 1000, spread: own.spread / 1000 });
  memory.push({ contender: `tenon, ${name}`, median: own.memory, spread: 0 });
}
const figure: Figure = {
  id: "large-types",
  name: "Build of one tool that takes a large type, whole process; in the table × of tsc",
  unit: "s",
  better: "lower",
  rows: time,
  table: { head: ["Type", ...contenders.map((one) => one.name)], lines },
  goals: [atMost(5, `until the slowest (${slowest.name}) is built or named as too large`, slowest.wall / 1000, "s")],
};
const common = { unit: "MB", better: "lower", goals: [] } as const;
finish([
  figure,
  {
    ...common,
    id: "large-types-memory",
    name: "Memory of tenon's build of such a tool, largest process",
    rows: memory,
  },
]);
