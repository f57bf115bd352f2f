/** The finished jobs of a tool with a number of its own, or of all other tools together, above their number. */
export interface Surplus {
  /** The tool; undefined for all that have no number of their own. */
  readonly tool: string | undefined;
  /** So many are kept, the newest. */
  readonly kept: number;
  readonly count: number;
}

/** Counts finished jobs by tool for a database where some tools keep a number of their own. */
export class FinishedCounts {
  /** Tools with a number of their own. */
  readonly tools: readonly string[];
  readonly #sizes: ReadonlyMap<string | undefined, number>;
  /** Undefined: not counted yet. */
  #counts: Map<string | undefined, number> | undefined;

  /** @param shared Number of jobs that all tools without a number of their own keep together. */
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

  /** The next eviction counts anew. */
  forget(): void {
    this.#counts = undefined;
  }

  add(tool: string | undefined, count: number): void {
    const key = tool !== undefined && this.#sizes.has(tool) ? tool : undefined;
    this.#counts?.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  /**
   * Jobs that are to be dropped now. A search for the jobs of one tool passes those of others, so it is made for a
   * tenth of the number at once: each finished job costs about ten rows of searching then, however rare its tool is.
   */
  surpluses(): readonly Surplus[] {
    return [...this.#sizes].flatMap(([tool, kept]) => {
      const count = (this.#counts?.get(tool) ?? 0) - kept;
      return count > kept / 10 ? [{ tool, kept, count }] : [];
    });
  }
}
