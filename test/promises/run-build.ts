import { setTimeout as sleep } from "node:timers/promises";
import { build, type Built } from "./project.ts";
import type { Known } from "./promise.ts";
import { runCell } from "./run-cell.ts";
import type { Scene } from "./scene.ts";
import { startServing, type Serving } from "./serving.ts";
import { startOf, toolOf, type Cell } from "./ways.ts";
import type { BuildName } from "./builds.ts";

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
  if (cells.length === 0) return broken;
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
    const [{ way, setting }] = group as readonly [Cell];
    let serving: Serving | undefined;
    try {
      const has = (kind: string, { promise }: Cell): boolean =>
        promises.get(promise)?.steps.some((step) => kind in step) === true;
      const isObserved = group.some((cell) => has("span", cell));
      serving = await startServing(built, way, { setting, isObserved }, scene);
      const { last = [], first = [] } = Object.groupBy(group, (cell) => (has("stop", cell) ? "last" : "first"));
      const running = serving;
      await Promise.all(first.map((cell) => runOne(built, running, cell)));
      const ending = new Ending(last, running.end);
      await Promise.all(last.map((cell) => runOne(built, running, cell, ending)));
    } catch (error) {
      for (const cell of group) tell(cell, error);
    } finally {
      await serving?.stop();
    }
  }

  async function runOne(built: Built, serving: Serving, cell: Cell, ending?: Ending): Promise<void> {
    const known = promises.get(cell.promise);
    if (known === undefined) return;
    try {
      const { way, setting } = cell;
      // Only ends what hangs.
      const late = sleep(200_000, undefined, { ref: false }).then(() => {
        const others = ending === undefined ? "" : `, behind ${ending.open()}`;
        const said = serving.processes.map((one) => one.stderr().slice(-2000)).join("");
        throw new Error(`it did not end in time${others}:\n${said}`);
      });
      const caller = serving.callerOf(way.serve);
      const end = ending === undefined ? serving.end : (): ReturnType<Serving["end"]> => ending.agree(cell);
      await Promise.race([runCell(known, { built, way, setting, scene, serving, caller, end }), late]);
      tell(cell);
    } catch (error) {
      tell(cell, error);
    } finally {
      ending?.leave(cell);
    }
  }
}

/** The end of processes: all cells that end them agree to it, or have failed before. */
class Ending {
  readonly #open: Set<Cell>;
  readonly #codes = Promise.withResolvers<readonly (number | null)[]>();
  readonly #end: Serving["end"];

  constructor(cells: readonly Cell[], end: Serving["end"]) {
    this.#open = new Set(cells);
    this.#end = end;
  }

  /** Promises of the cells that have not agreed, with their ways of serving. */
  open(): string {
    return [...this.#open].map(({ promise, way }) => `${promise} (${way.serve})`).join("; ");
  }

  agree(cell: Cell): Promise<readonly (number | null)[]> {
    this.leave(cell);
    return this.#codes.promise;
  }

  leave(cell: Cell): void {
    if (this.#open.delete(cell) && this.#open.size === 0) this.#codes.resolve(this.#end());
  }
}

/** Cells of a group share a process; a batch worker has one tool. */
function groupOf({ way, setting }: Cell, known: Known | undefined): string {
  const { serve, store, node } = way;
  const tool = serve === "batch" && known !== undefined ? toolOf(known) : "";
  return [startOf(serve), store, node, setting, tool].join();
}
