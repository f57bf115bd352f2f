/** The client code that is appended to generated files. */
export interface CallerSource {
  /** TypeScript, with `export` before declarations for the users of the file. */
  readonly text: string;
  /** Names that the code declares at its top level. */
  readonly names: readonly string[];
}

/**
 * Parts of the client that only some services need: conversions of results to classes such as `Date`, and messages to
 * jobs.
 */
export const clientParts = ["conversions", "messages"] as const;

export type ClientPart = (typeof clientParts)[number];

/** The client code by its parts, which are joined by commas in the order of `clientParts`. */
export type CallerSources = Readonly<Record<string, CallerSource>>;

/** Empty in the sources: the build of the package writes this module from `runtime/client`. */
export const callerSources: CallerSources = {};
