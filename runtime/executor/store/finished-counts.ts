/**
 * Number of finished jobs above a limit: the limit of a tool that has its own, or the shared limit of all other tools.
 */
export interface Surplus {
  /** The tool; undefined stands for all tools without a limit of their own. */
  readonly tool: string | undefined;
  /** Number of newest jobs that are retained. */
  readonly kept: number;
  readonly count: number;
}

/** Counts finished jobs by tool, for a database in which some tools have a limit of their own. */
export class FinishedCounts {
  /** Tools with a limit of their own. */
  readonly tools: readonly string[];
  readonly #sizes: ReadonlyMap<string | undefined, number>;
  /** Counts by tool; undefined: not counted yet. */
  #counts: Map<string | undefined, number> | undefined;

  /**
   * Creates an empty count.
   *
   * @param shared Limit for the finished jobs of all tools without a limit of their own, together.
   */
  constructor(shared: number, perTool: ReadonlyMap<string, number>) {
    this.tools = [...perTool.keys()];
    this.#sizes = new Map<string | undefined, number>([...perTool, [undefined, shared]]);
  }

  get isCounted(): boolean {
    return this.#counts !== undefined;
  }

  /** Sets the counts to those of the database. */
  reset(rows: readonly { readonly tool: string; readonly count: number }[]): void {
    this.#counts = new Map();
    for (const { tool, count } of rows) this.add(tool, count);
  }

  /** Discards the counts: the next eviction counts the rows. */
  forget(): void {
    this.#counts = undefined;
  }

  add(tool: string | undefined, count: number): void {
    const key = tool !== undefined && this.#sizes.has(tool) ? tool : undefined;
    this.#counts?.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  /**
   * Returns the numbers of jobs that should be dropped now. Each is at least a tenth of the limit, since a search for
   * one tool's jobs also reads those of other tools. This way each finished job costs about ten rows of searching,
   * however rare its tool is.
   */
  surpluses(): readonly Surplus[] {
    return [...this.#sizes].flatMap(([tool, kept]) => {
      const count = (this.#counts?.get(tool) ?? 0) - kept;
      return count > kept / 10 ? [{ tool, kept, count }] : [];
    });
  }
}
