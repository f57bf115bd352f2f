/** Inputs that decide a tool's path. */
export interface PathSource {
  readonly name: string;
  /** The author's `@path`. */
  readonly path?: string;
  /** Literal options of `platformLambda`. */
  readonly options?: { readonly [key: string]: unknown };
}

/** The path of the only tool of a service, if the author chose none. */
const onlyPath = "/tool";

/** Returns the REST path of a tool: the author's, else `/tool` for the only tool of a service, else `/tool/<name>`. */
export function toolPath(tool: PathSource, toolCount: number): string {
  const chosen = tool.path ?? tool.options?.["path"];
  if (typeof chosen === "string" && chosen !== "") return chosen.startsWith("/") ? chosen : `/${chosen}`;
  return toolCount === 1 ? onlyPath : namedPath(tool.name);
}

/**
 * Returns the second path, `/tool/<name>`, of a tool that is served at `/tool`. A caller who uses the second path is
 * not affected when the service gets a second tool. Undefined for a tool with any other path.
 */
export function toolAlias(name: string, path: string): string | undefined {
  return path === onlyPath ? namedPath(name) : undefined;
}

function namedPath(name: string): string {
  return `/tool/${encodeURIComponent(name)}`;
}
