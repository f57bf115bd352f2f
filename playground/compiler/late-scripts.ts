/** Scripts that the worker loads when a source first needs them. They put what they have on the global object. */
interface WorkerScope {
  /** Loads a script and runs it before the call returns. */
  importScripts(address: string): void;
  tenonLibs?: readonly LibFile[];
  recheck?: unknown;
}

/** A library text of the compiler. */
interface LibFile {
  readonly fileName: string;
  readonly text: string;
}

/** Names of the scripts, beside that of the worker. */
export const lateScripts = { libs: "platform-libs.js", recheck: "recheck.js" } as const;

/** Library texts of platforms, such as those of the DOM. */
export function platformLibs(): readonly LibFile[] {
  const scope = globalThis as unknown as WorkerScope;
  if (scope.tenonLibs === undefined) scope.importScripts(lateScripts.libs);
  return scope.tenonLibs ?? [];
}

/** The judge of patterns. */
export function recheck(): unknown {
  const scope = globalThis as unknown as WorkerScope;
  if (scope.recheck === undefined) scope.importScripts(lateScripts.recheck);
  return scope.recheck;
}
