// This file becomes a banner before every chunk of a bundle, so it imports nothing. `stdout-guard-text.ts` holds its
// minified text. `UPDATE=1 vitest run test/unit/runtime/base/process/stdout-guard.test.ts` remakes it.

import type { stdoutKey } from "../../contract/process-keys.ts";

/** State of the guard for the owner of standard output. */
export interface GuardedStdout {
  /** The original `process.stdout.write`. */
  readonly write: (chunk: string | Uint8Array, done?: (error?: Error | null) => void) => boolean;
}

type AnyFunction = (...args: unknown[]) => unknown;
type Table = Record<string, AnyFunction>;

/**
 * Redirects everything that is printed to standard output to standard error: consoles, streams, `fs` on descriptor 1,
 * child processes and worker threads. Children do not get standard input either, because the protocol uses it. Acts
 * once per thread; a later copy finds the first. Not covered: native code that writes to descriptor 1 itself.
 *
 * @param always Act without one of the flags whose output is data.
 * @param key Where the untouched output is kept.
 */
export function installStdoutGuard(always: boolean, key: typeof stdoutKey): void {
  const scope = globalThis as { [key]?: GuardedStdout };
  if (scope[key] !== undefined) return;
  // Worker threads do not see the flags of their process, but inherit the environment. A child process that inherits it
  // too has another process id.
  const mark = "TENON_STDOUT_GUARD";
  const id = String(process.pid);
  const flagged = process.argv.some((arg) =>
    /^--(with-mcp-stdio|test-file|print-(service|tool)-description)(=|$)/.test(arg),
  );
  if (!always && !flagged && process.env[mark] !== id) return;
  process.env[mark] = id;
  install();

  // V8 compiles the surrounding code at once, in every chunk, but a declared function only when it is called. Most
  // starts do not call it.
  function install(): void {
    const out = process.stdout;
    // Standard error is created only when something is printed. The class's method is used, since author code may
    // redirect the instance's method to standard output.
    const print = (...args: unknown[]): boolean => {
      const err = process.stderr;
      return Reflect.apply((Object.getPrototypeOf(err) as typeof err).write, err, args);
    };
    const write = out.write.bind(out) as GuardedStdout["write"];
    scope[key] = { write };
    // The instance is patched, since named imports and existing consoles hold this very object.
    out.write = print as typeof out.write;
    // Standard output stays open, but a caller that ends it gets its callback.
    out.end = ((...args: unknown[]) => {
      const [chunk] = args;
      if (typeof chunk === "string" || chunk instanceof Uint8Array) print(chunk);
      setImmediate(() => {
        out.emit("finish");
        out.emit("close");
        for (const arg of args) if (typeof arg === "function") arg();
      });
      return out;
    }) as typeof out.end;

    const patch = (table: Table, name: string, make: (original: AnyFunction) => AnyFunction): void => {
      const original = table[name] as AnyFunction;
      // Properties are copied too: `util.promisify` finds its own version of `fs.write` there.
      table[name] = Object.defineProperties(make(original), Object.getOwnPropertyDescriptors(original));
    };
    const builtin = process.getBuiltinModule;
    const fs = builtin("node:fs");
    const modules = builtin("node:module");
    for (const name of Object.keys(fs)) {
      if (!/^(write|append|open(Sync)?$)/.test(name)) continue;
      // Uses the descriptor where possible: sockets, which hosts use, cannot be opened by path.
      const instead = name.startsWith("open") ? "/dev/stderr" : 2;
      patch(
        fs as unknown as Table,
        name,
        (original) =>
          (to, ...rest) =>
            original(to === 1 ? 2 : to === "/dev/stdout" ? instead : to, ...rest),
      );
    }

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

    // Loading `child_process` takes longer than everything else here, and few services use it. So it is patched only
    // when it is loaded, by any means: Node's own modules that start processes load it too.
    let waiting = true;
    const prepare = (id: string): void => {
      if (!waiting || !/^(node:)?(child_process|cluster|test(\/.*)?)$/.test(id)) return;
      waiting = false;
      const child = builtin("node:child_process");
      patch(child.ChildProcess.prototype as unknown as Table, "spawn", redirecting);
      for (const name of ["spawnSync", "execSync", "execFileSync"]) patch(child as unknown as Table, name, redirecting);
      modules.syncBuiltinESMExports();
    };
    process.getBuiltinModule = ((id: string) => {
      prepare(id);
      return builtin(id);
    }) as typeof builtin;
    const { moduleLoadList: loaded } = process as { moduleLoadList?: readonly string[] };
    modules.registerHooks?.({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        prepare(found.url);
        return found;
      },
    });
    // If Node does not say whether the module is loaded, patches it now.
    const isLoaded = loaded?.includes("NativeModule child_process") ?? true;
    if (isLoaded || modules.registerHooks === undefined) prepare("child_process");
    modules.syncBuiltinESMExports();
  }
}
