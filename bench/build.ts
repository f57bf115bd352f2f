/**
 * How long builds take, beside esbuild and Vite without the plugin, the TypeScript compilers on the same project and
 * other builders of tools; interleaved, each in a process of its own. `npm run build && node bench/build.ts [--quick]
 * [--json FILE] [100|100-external|100-vite|100-wide|1000|3000-files …]`, all sizes unless some are named; the peers need
 * `npm ci --prefix bench`.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type BuildContender,
  externalContenders,
  ownContenders,
  peerContenders,
  unchanged,
  unpluginTypia,
  viteContenders,
} from "./contenders.ts";
import { atLeast, atMost, type Figure, type Goal } from "./lib/figure.ts";
import { interleave, type Samples } from "./lib/rounds.ts";
import { type ProcessCost, runProcess } from "./lib/run-process.ts";
import { benchScript } from "./lib/script.ts";
import { makeProject } from "./make-project.ts";
import { makeTsoaProject, makeTypiaProject, makeXmcpProject } from "./peer-projects.ts";

type Costs = Samples<keyof ProcessCost>;

interface Size {
  readonly id: string;
  readonly title: string;
  readonly tools: number;
  readonly files?: number;
  readonly wide?: boolean;
  readonly contenders: readonly BuildContender[];
  readonly rounds: number;
  readonly time: (costs: Costs) => readonly Goal[];
  /** Measured where there is a goal for it. */
  readonly memory?: (costs: Costs) => readonly Goal[];
}

const { quick, words, progress, finish } = benchScript();
const hasPeers = existsSync(join(import.meta.dirname, "node_modules/typia"));
if (!hasPeers) progress("build: without peers; `npm ci --prefix bench` installs them");
const cold = "tenon, cold";
const overPlain = (costs: Costs, name: string): number => costs.difference("wall", name, "esbuild alone");
/** Goal for the time that tenon adds to a build without changes, as a share, which says the same on slow machines. */
const adds = (costs: Costs, plain: string, bound: number): Goal =>
  atMost(
    bound,
    `what tenon adds, nothing changed ÷ ${plain}`,
    costs.difference("wall", unchanged, plain) / costs.median("wall", plain),
  );
const beside = (costs: Costs, bound = 1): Goal =>
  atMost(bound, "cold ÷ tsc 6", costs.ratio("wall", cold, "tsc 6 --noEmit"));

const sizes: readonly Size[] = [
  {
    id: "100",
    title: "100 tools",
    tools: 100,
    contenders: [
      ...ownContenders,
      ...(!hasPeers ? [] : quick ? peerContenders.slice(0, 1) : [...peerContenders, unpluginTypia]),
    ],
    rounds: quick ? 1 : 5,
    time: (costs) => [
      beside(costs),
      atMost(60, "nothing changed, over esbuild alone", overPlain(costs, unchanged), "ms"),
      ...(hasPeers && !quick
        ? [atLeast(40, "unplugin-typia ÷ cold", costs.ratio("wall", unpluginTypia.name, cold))]
        : []),
    ],
  },
  {
    id: "100-external",
    title: "100 tools, without the runtime",
    tools: 100,
    contenders: externalContenders,
    rounds: quick ? 1 : 11,
    // Half of what such a build takes longer is esbuild reading and printing the generated code. The goal was 60 ms on a
    // machine on which esbuild alone took 45.
    time: (costs) => [adds(costs, "esbuild alone", 60 / 45)],
  },
  {
    id: "100-vite",
    title: "100 tools by Vite, without the runtime",
    tools: 100,
    contenders: viteContenders,
    rounds: quick ? 1 : 11,
    // On that machine, Vite alone would take 94 ms.
    time: (costs) => [adds(costs, "Vite alone", 60 / 94)],
  },
  {
    id: "100-wide",
    title: "100 tools of ten fields",
    tools: 100,
    wide: true,
    contenders: ownContenders,
    rounds: quick ? 1 : 5,
    time: (costs) => [beside(costs)],
  },
  {
    id: "1000",
    title: "1,000 tools",
    tools: 1000,
    contenders: ownContenders,
    rounds: 3,
    // Reading with two threads on two cores takes as long as with one (NOTES.md), so this is what was reached.
    time: (costs) => [beside(costs, 2)],
    memory: (costs) => [atMost(350, "cold", costs.median("memory", cold), "MB")],
  },
  {
    id: "3000-files",
    title: "5 tools among 3,000 files",
    tools: 5,
    files: 3000,
    contenders: ownContenders,
    rounds: 3,
    time: (costs) => [atMost(600, "cold, over esbuild alone", overPlain(costs, cold), "ms")],
  },
];

async function measure({
  id,
  title,
  tools,
  files = 0,
  wide = false,
  contenders,
  rounds,
  time,
  memory,
}: Size): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-build-"));
  const folders = {
    tenon: join(folder, "tenon"),
    typia: join(folder, "typia"),
    tsoa: join(folder, "tsoa"),
    xmcp: join(folder, "xmcp"),
    generated: join(folder, "generated"),
  };
  const wanted = new Set(contenders.map(({ project }) => project));
  try {
    makeProject({ folder: folders.tenon, tools, files, wide });
    mkdirSync(join(folders.tenon, "out"));
    if (wanted.has("typia")) makeTypiaProject(folders.typia, tools);
    if (wanted.has("tsoa")) makeTsoaProject(folders.tsoa, tools);
    if (wanted.has("xmcp")) makeXmcpProject(folders.xmcp, tools);
    if (wanted.has("generated")) {
      cpSync(folders.tenon, folders.generated, { recursive: true, verbatimSymlinks: true });
      runProcess([process.execPath, join(import.meta.dirname, "write-generated.mjs"), "."], folders.generated);
    }
    // The first build fills the caches of disk, compiled code and project.
    for (const { name, command } of contenders) if (name === unchanged) runProcess(command, folders.tenon);
    const costs = await interleave(
      contenders.map(({ name, project, command, before }) => ({
        name,
        isSlow: name === unpluginTypia.name || (quick && peerContenders.some((peer) => peer.name === name)),
        sample() {
          const place = folders[project ?? "tenon"];
          before?.(place);
          return runProcess(command, place);
        },
      })),
      {
        rounds,
        warmups: quick ? 0 : 1,
        onRound: (round) => progress(`build, ${title}: round ${round + 1} of ${rounds}`),
      },
    );
    const common = { better: "lower" } as const;
    return [
      {
        ...common,
        id: `build-${id}`,
        name: `Build of ${title}, whole process`,
        unit: "ms",
        rows: costs.rows("wall"),
        goals: time(costs),
      },
      ...(memory === undefined
        ? []
        : [
            {
              ...common,
              id: `build-memory-${id}`,
              name: `Memory of a build of ${title}, largest process`,
              unit: "MB",
              rows: costs.rows("memory"),
              goals: memory(costs),
            },
          ]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const figures: Figure[] = [];
const named = sizes.filter(({ id }) => words.includes(id));
if (named.length < words.length) throw new Error(`Sizes are ${sizes.map(({ id }) => id).join(", ")}.`);
for (const size of named.length > 0 ? named : quick ? sizes.slice(0, 1) : sizes) figures.push(...(await measure(size)));
finish(figures);
