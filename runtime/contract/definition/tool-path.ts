/** Inputs that decide a tool's path. */
export interface PathSource {
  readonly name: string;
  /** The author's `@path`. */
  readonly path?: string;
  /** Literal options of `platformLambda`. */
  readonly options?: { readonly [key: string]: unknown };
}

/** REST path of a tool: the author's, else `/tool` for the only tool of a service, else `/tool/<name>`. */
export function toolPath(tool: PathSource, toolCount: number): string {
  const chosen = tool.path ?? tool.options?.["path"];
  if (typeof chosen === "string" && chosen !== "") return chosen.startsWith("/") ? chosen : `/${chosen}`;
  return toolCount === 1 ? "/tool" : `/tool/${encodeURIComponent(tool.name)}`;
}
