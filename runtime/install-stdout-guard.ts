// This file becomes a banner that stands in front of every chunk of a bundle, so it imports nothing, and
// `stdout-guard-text.ts` holds its minified text. `UPDATE=1 vitest run test/unit/runtime/stdout-guard.test.ts` remakes it.

/** What the guard keeps for those who own standard output. */
export interface GuardedStdout {
  /** The untouched `process.stdout.write`. */
  readonly write: (chunk: string | Uint8Array, done?: (error?: Error | null) => void) => boolean;
}

type AnyFunction = (...args: unknown[]) => unknown;
type Table = Record<string, AnyFunction>;

/**
 * Sends everything that is printed to standard output to standard error instead, whoever prints it: consoles, streams,
 * `fs` on descriptor 1, child processes and worker threads. Children do not get standard input either, because it is
 * the protocol's. Acts once per thread; a later copy finds the first. Not covered: native code that writes to
 * descriptor 1 by itself.
 *
 * @param always Act without one of the flags whose output is data.
 */
export function installStdoutGuard(always: boolean): void {
  const key = Symbol.for("tenon.stdout");
  const scope = globalThis as { [key]?: GuardedStdout };
  if (scope[key] !== undefined) return;
  // A worker thread does not see the flags of its process, but inherits the environment; a child process that inherits
  // it too has another id.
  const mark = "TENON_STDOUT_GUARD";
  const id = String(process.pid);
  const flagged = process.argv.some((arg) =>
    /^--(with-mcp-stdio|test-file|print-(service|tool)-description)(=|$)/.test(arg),
  );
  if (!always && !flagged && process.env[mark] !== id) return;
  process.env[mark] = id;

  const out = process.stdout;
  const err = process.stderr;
  const write = out.write.bind(out) as GuardedStdout["write"];
  scope[key] = { write };
  // The instance is patched: named imports and consoles that were made before hold this very object.
  out.write = err.write.bind(err);
  // Standard output stays open, but whoever ended it waits to hear so.
  out.end = ((...args: unknown[]) => {
    const [chunk] = args;
    if (typeof chunk === "string" || chunk instanceof Uint8Array) err.write(chunk);
    setImmediate(() => {
      out.emit("finish");
      out.emit("close");
      for (const arg of args) if (typeof arg === "function") arg();
    });
    return out;
  }) as typeof out.end;

  const patch = (table: Table, name: string, make: (original: AnyFunction) => AnyFunction): void => {
    const original = table[name] as AnyFunction;
    // The properties too: `util.promisify` finds its own version of `fs.write` there.
    table[name] = Object.defineProperties(make(original), Object.getOwnPropertyDescriptors(original));
  };
  const fs = process.getBuiltinModule("node:fs");
  const isOut = /^\/(dev\/(stdout|fd\/1)|proc\/self\/fd\/1)$/;
  for (const table of [fs, fs.promises] as unknown as Table[]) {
    for (const name of Object.keys(table)) {
      if (/^(write|append|open|createW)/.test(name)) {
        // A descriptor where it is taken: sockets, as hosts use them, cannot be opened by path.
        const instead =
          name.startsWith("open") || name === "createWriteStream" || table !== (fs as unknown) ? "/dev/stderr" : 2;
        patch(
          table,
          name,
          (original) =>
            (to, ...rest) =>
              original(to === 1 ? 2 : isOut.test(String(to)) ? instead : to, ...rest),
        );
      }
      // A stream on descriptor 1 closes it at its end.
      if (name.startsWith("close")) {
        patch(
          table,
          name,
          (original) => (fd, done) =>
            fd === 0 || fd === 1 ? done && setImmediate(done as AnyFunction, null) : original(fd, done),
        );
      }
    }
  }

  const child = process.getBuiltinModule("node:child_process");
  const redirect = (options: unknown): unknown => {
    const stdio = (options as { stdio?: unknown } | undefined)?.stdio;
    if (stdio === undefined || stdio === null) return options;
    const list = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
    const mapped = list.map((item: unknown, index) => {
      const fd = item === "inherit" ? index : typeof item === "number" ? item : (item as { fd?: unknown } | null)?.fd;
      return fd === 0 ? "ignore" : fd === 1 ? 2 : item;
    });
    return { ...(options as object), stdio: mapped };
  };
  const redirecting = (original: AnyFunction): AnyFunction =>
    function (this: unknown, ...args) {
      return original.apply(
        this,
        args.map((arg) => (Array.isArray(arg) ? arg : redirect(arg))),
      );
    };
  patch(child.ChildProcess.prototype as unknown as Table, "spawn", redirecting);
  for (const name of ["spawnSync", "execSync", "execFileSync"]) patch(child as unknown as Table, name, redirecting);
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
}
