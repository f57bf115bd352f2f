/** The client that generated files end with. */
export interface CallerSource {
  /** TypeScript, with `export` before what users of a file need. */
  readonly text: string;
  /** Names at its top. */
  readonly names: readonly string[];
}

/** Empty in the sources: the build of the package writes this module from `runtime/client`. */
export const callerSource: CallerSource = { text: "", names: [] };
