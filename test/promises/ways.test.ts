/**
 * Every promise in every way. The short form, or with `WAYS=all` the whole product, which a second run goes on with
 * where the first was ended. `WAYS` also writes `docs/ways.md`.
 */
import { writeFileSync, writeSync } from "node:fs";
import { availableParallelism } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builds, type BuildName } from "./builds.ts";
import { wrapProse } from "../../scripts/docs/wrap-prose.ts";
import { inTurn } from "./in-turn.ts";
import { waysPage } from "./page.ts";
import { keptResults } from "./kept-results.ts";
import { serviceFolders } from "./project.ts";
import type { Promises } from "./promise.ts";
import { runBuild } from "./run-build.ts";
import { stepsOf } from "./run-cell.ts";
import { openScene, type Scene } from "./scene.ts";
import { allCells, coveringCells, pairsOf, type Cell } from "./ways.ts";

/** `PROMISE`, `BUILD` and `WAY` choose by a pattern. */
const only = new RegExp(process.env["PROMISE"] ?? "");
const chosenWay = new RegExp(process.env["WAY"] ?? "");
const loaded = await Promise.all(
  [...serviceFolders].map(async ([name, folder]) => {
    const { promises } = (await import(`${folder}/promises.ts`)) as { promises: Promises };
    const known = Object.entries(promises).map(([text, promised]) => [text, { ...promised, service: name }] as const);
    return known.filter(([text]) => only.test(`${name}: ${text}`));
  }),
);
const promises = new Map(loaded.flat());
const isFor = ({ way, promise }: Cell): boolean => {
  const promised = promises.get(promise);
  if (!chosenWay.test(Object.values(way).join(", "))) return false;
  return promised !== undefined && typeof stepsOf(promised, way) !== "string";
};
const isWhole = process.env["WAYS"] === "all";
const cells = isWhole ? allCells(promises, isFor) : coveringCells(promises, isFor);

test("all pairs of values meet", () => {
  const met = new Set(cells.flatMap(pairsOf));
  const missing = allCells(promises, isFor)
    .flatMap(pairsOf)
    .filter((pair) => !met.has(pair));
  expect(missing).toEqual([]);
});

const kept = isWhole ? keptResults() : undefined;
const isKept = (cell: Cell): boolean => kept?.has(cell) === true;
const results: (Cell & { readonly reason: string | undefined })[] = cells
  .filter(isKept)
  .map((cell) => ({ ...cell, reason: undefined }));
let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  await scene.close();
  if (process.env["WAYS"] !== undefined) writeFileSync("docs/ways.md", wrapProse(waysPage(promises, results)));
});

/** Two more than there are processors, since most of them wait for one another. */
const turns = inTurn(availableParallelism() + 2);
const onCell = (cell: Cell, reason: string | undefined): void => {
  const { way, promise } = cell;
  const done = results.push({ ...cell, reason });
  if (reason === undefined) kept?.add(cell);
  // A run of an hour tells at once, since it may be ended.
  else writeSync(2, `RED ${promise} [${Object.values(way).join(", ")}]: ${reason.slice(0, 2000)}\n`);
  if (done % 100 === 0) writeSync(2, `${done} of ${cells.length} cells, ${performance.now().toFixed()} ms\n`);
};

const chosen = (Object.keys(builds) as BuildName[]).filter((name) => new RegExp(process.env["BUILD"] ?? "").test(name));
describe.concurrent("every promise", () => {
  test.each(chosen)(
    "built by %s",
    async (name) => {
      const own = cells.filter((cell) => cell.way.build === name && !isKept(cell));
      const started = performance.now();
      const broken = await runBuild({ name, cells: own, promises, scene, inTurn: turns, onCell });
      console.log(
        `${name}: ${own.length} cells, ${broken.length} red, ${((performance.now() - started) / 1000).toFixed(1)} s`,
      );
      const told = Object.values(Object.groupBy(broken, ({ promise }) => promise)).map((cells = []) => {
        const ways = cells.map(({ way }) => `[${way.serve}, ${way.store}, ${way.node}]`);
        return [cells[0]?.promise, `  ${ways.slice(0, 8).join(" ")} ${ways.length}`, cells[0]?.reason].join("\n");
      });
      expect(told.join("\n\n")).toBe("");
    },
    isWhole ? 7_200_000 : 300_000,
  );
});
