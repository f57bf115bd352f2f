import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownContenders } from "../contenders.ts";
import { curvesFigure, type Figure } from "../lib/figure.ts";
import { summarise } from "../lib/rounds.ts";
import { type ProcessCost, runProcess } from "../lib/run-process.ts";
import { makeProject } from "../make-project.ts";
import { makeTypeProject } from "../type-cases.ts";

interface Growing {
  readonly id: string;
  readonly title: string;
  readonly axis: string;
  readonly sizes: readonly number[];
  readonly make: (folder: string, size: number) => void;
}

const contenders = ownContenders.filter(({ name }) => name === "tenon, cold" || name === "tsc 6 --noEmit");

/** Time and memory of a cold build and of `tsc`, over the number of tools and over the size of one tool's type. */
export function buildFigures(quick: boolean, progress: (text: string) => void): readonly Figure[] {
  const growing: readonly Growing[] = [
    {
      id: "growth-tools",
      title: "a build over the number of tools",
      axis: "tools",
      sizes: quick ? [1, 10, 100] : [1, 10, 100, 1000, 3000],
      make: (folder, tools) => void makeProject({ folder, tools }),
    },
    {
      id: "growth-members",
      title: "a build of one tool over the size of its type",
      axis: "members",
      sizes: quick ? [10, 100, 1000] : [10, 100, 1000, 10_000, 100_000],
      make: (folder, members) =>
        makeTypeProject(folder, { name: "tree", importing: treeText(members), type: "Part0" }, false),
    },
  ];
  return growing.flatMap((one) => measure(one, quick, progress));
}

/** Interfaces of ten members each, two of which lead to further ones. */
function treeText(members: number): string {
  const count = Math.ceil(members / 10);
  const fields = ["size: number", "name: string", 'kind: "road" | "river"', "labels: string[]", "isOpen: boolean"];
  const more = ["note?: string", "since?: Date", "weight?: number"];
  return Array.from({ length: count }, (_, index) => {
    const parts = [2 * index + 1, 2 * index + 2].map((part, side) =>
      part < count ? `part${side}?: Part${part}` : `end${side}?: string`,
    );
    const lines = [...fields, ...more, ...parts].map((field) => `  /** One of its values. */\n  ${field};\n`);
    return `/** A part of the whole. */\nexport interface Part${index} {\n${lines.join("")}}\n`;
  }).join("");
}

function measure(
  { id, title, axis, sizes, make }: Growing,
  quick: boolean,
  progress: (text: string) => void,
): readonly Figure[] {
  const costs = sizes.map((size) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-bench-growth-"));
    try {
      make(folder, size);
      const taken = contenders.map((): ProcessCost[] => []);
      const rounds = quick || size >= 1000 ? 1 : 3;
      for (let round = 0; round < rounds; round++) {
        progress(`${title}: ${size.toLocaleString("en")} ${axis}, round ${round + 1} of ${rounds}`);
        for (const [index, { command, before }] of contenders.entries()) {
          before?.(folder);
          taken[index]?.push(runProcess(command, folder));
        }
      }
      return taken;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  const figure = (kind: string, unit: string, value: (cost: ProcessCost) => number): Figure =>
    curvesFigure({
      id: `${id}-${kind.toLowerCase()}`,
      name: `${kind} of ${title}`,
      unit,
      better: "lower",
      axis,
      curves: contenders.map(({ name }, index) => ({
        contender: name,
        points: sizes.map((size, at) => [size, summarise((costs[at]?.[index] ?? []).map(value)).median] as const),
      })),
    });
  return [figure("Time", "s", ({ wall }) => wall / 1000), figure("Memory", "MB", ({ memory }) => memory)];
}
