/** The client that generated files end with. */
export interface CallerSource {
  /** TypeScript, with `export` before what users of a file need. */
  readonly text: string;
  /** Names at its top. */
  readonly names: readonly string[];
}

/** The client for services with tools that wait for messages, and for all others. */
export interface CallerSources {
  readonly whole: CallerSource;
  readonly withoutMessages: CallerSource;
}

const empty: CallerSource = { text: "", names: [] };

/** Empty in the sources: the build of the package writes this module from `runtime/client`. */
export const callerSources: CallerSources = { whole: empty, withoutMessages: empty };
