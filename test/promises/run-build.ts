import { setTimeout as sleep } from "node:timers/promises";
import { build } from "./project.ts";
import type { Built } from "./project.ts";
import type { Known, Promised, Setting } from "./promise.ts";
import { runCell } from "./run-cell.ts";
import type { Scene } from "./scene.ts";
import { startServing } from "./serving.ts";
import type { Serving } from "./serving.ts";
import { startOf } from "./ways.ts";
import type { BuildName } from "./builds.ts";
import type { Cell, Way } from "./ways.ts";

/** A cell that is red, with the reason. */
export interface Broken extends Cell {
  readonly reason: string;
}

export interface BuildRun {
  readonly name: BuildName;
  readonly cells: readonly Cell[];
  readonly promises: ReadonlyMap<string, Known>;
  readonly scene: Scene;
  /** Limits how much runs at the same time, over all builds. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called after each cell. */
  readonly onCell?: (cell: Cell, broken: string | undefined) => void;
}

/**
 * Builds once, and carries out all cells of the build: those with the same start, store, Node and setting in one
 * process.
 */
export async function runBuild({ name, cells, promises, scene, inTurn, onCell }: BuildRun): Promise<readonly Broken[]> {
  const broken: Broken[] = [];
  const tell = (cell: Cell, error?: unknown): void => {
    const reason = error === undefined ? undefined : error instanceof Error ? error.message : String(error);
    if (reason !== undefined) broken.push({ ...cell, reason });
    onCell?.(cell, reason);
  };
  let built: Built;
  try {
    const services = [...new Set(cells.map(({ promise }) => promises.get(promise)?.service ?? ""))];
    built = await inTurn(() => build(name, services));
  } catch (error) {
    for (const cell of cells) tell(cell, error);
    return broken;
  }
  const groups = Object.values(Object.groupBy(cells, (cell) => groupOf(cell, promises.get(cell.promise))));
  await Promise.all(groups.map((group = []) => inTurn(() => runGroup(built, group))));
  built.remove();
  return broken;

  async function runGroup(built: Built, group: readonly Cell[]): Promise<void> {
    const [{ way, promise }] = group as readonly [Cell];
    let serving: Serving | undefined;
    try {
      serving = await startServing(built, way, settingOf(promises.get(promise)), scene);
      await Promise.all(group.map((cell) => runOne(built, serving as Serving, cell)));
    } catch (error) {
      for (const cell of group) tell(cell, error);
    } finally {
      await serving?.stop();
    }
  }

  async function runOne(built: Built, serving: Serving, cell: Cell): Promise<void> {
    const promised = promises.get(cell.promise);
    if (promised === undefined) return;
    try {
      const { way } = cell;
      const late = sleep(60_000, undefined, { ref: false }).then(() => {
        throw new Error(
          `it did not end in time:\n${serving.processes.map((one) => one.stderr().slice(-2000)).join("")}`,
        );
      });
      await Promise.race([
        runCell(promised, { built, way, scene, serving, caller: serving.callerOf(way.serve) }),
        late,
      ]);
      tell(cell);
    } catch (error) {
      tell(cell, error);
    }
  }
}

/** Cells of a group share a process; a batch worker has one tool, and some promises end their process. */
function groupOf({ way, promise }: Cell, promised: Promised | undefined): string {
  const { serve, store, node } = way satisfies Way;
  const own = serve === "batch" || promised?.isAlone === true ? `${promise}, ${serve}` : "";
  return [startOf(serve), store, node, settingOf(promised), own].join();
}

function settingOf(promised: Promised | undefined): Setting {
  return promised?.setting ?? "open";
}
