/** The client code that is appended to generated files. */
export interface CallerSource {
  /** TypeScript, with `export` before declarations for the users of the file. */
  readonly text: string;
  /** Names that the code declares at its top level. */
  readonly names: readonly string[];
}

/** The client code for services with tools that wait for messages, and for all others. */
export interface CallerSources {
  readonly whole: CallerSource;
  readonly withoutMessages: CallerSource;
}

const empty: CallerSource = { text: "", names: [] };

/** Empty in the sources: the build of the package writes this module from `runtime/client`. */
export const callerSources: CallerSources = { whole: empty, withoutMessages: empty };
