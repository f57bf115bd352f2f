/** The number of finished jobs above a limit: of a tool with a limit of its own, or of all other tools together. */
export interface Surplus {
  /** The tool; undefined stands for all tools without a limit of their own. */
  readonly tool: string | undefined;
  /** Number of jobs that are retained, the newest ones. */
  readonly kept: number;
  readonly count: number;
}

/** Counts finished jobs by tool, for a database in which some tools have a limit of their own. */
export class FinishedCounts {
  /** Tools with a limit of their own. */
  readonly tools: readonly string[];
  readonly #sizes: ReadonlyMap<string | undefined, number>;
  /** Undefined: not counted yet. */
  #counts: Map<string | undefined, number> | undefined;

  /** @param shared Limit for the finished jobs of all tools without a limit of their own, together. */
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

  /** Forgets the counts: the next eviction counts the rows. */
  forget(): void {
    this.#counts = undefined;
  }

  add(tool: string | undefined, count: number): void {
    const key = tool !== undefined && this.#sizes.has(tool) ? tool : undefined;
    this.#counts?.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  /**
   * Numbers of jobs that should be dropped now. A search for the jobs of one tool reads those of others too, so it runs
   * once a tenth of the limit can be dropped: then each finished job costs about ten rows of searching, however rare
   * its tool is.
   */
  surpluses(): readonly Surplus[] {
    return [...this.#sizes].flatMap(([tool, kept]) => {
      const count = (this.#counts?.get(tool) ?? 0) - kept;
      return count > kept / 10 ? [{ tool, kept, count }] : [];
    });
  }
}
