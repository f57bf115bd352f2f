// This file becomes a banner before every chunk of a bundle, so it imports nothing. `stdout-guard-text.ts` contains its
// minified text, which `UPDATE=1 vitest run test/unit/runtime/base/process/stdout-guard.test.ts` generates.

import type { stdoutKey } from "../../contract/process-keys.ts";

/** State of the guard, for the code that may still write to standard output. */
export interface GuardedStdout {
  /** The original `process.stdout.write`. */
  readonly write: (chunk: string | Uint8Array, done?: (error?: Error | null) => void) => boolean;
}

type AnyFunction = (...args: unknown[]) => unknown;
type Table = Record<string, AnyFunction>;

/**
 * Redirects to standard error everything that is printed to standard output: by consoles, streams, `fs` on descriptor
 * 1, child processes and worker threads. Child processes do not get standard input either, because the protocol uses
 * it. The guard is installed once per thread, and later copies of this code find it. Not covered: native code that
 * writes to descriptor 1 itself.
 *
 * @param always Act without one of the flags whose output is data.
 * @param key Key under which the original output is stored.
 */
export function installStdoutGuard(always: boolean, key: typeof stdoutKey): void {
  const scope = globalThis as { [key]?: GuardedStdout };
  if (scope[key] !== undefined) return;
  // Name of an environment variable with the process id. Worker threads do not see the flags of their process, but
  // inherit the environment. A child process inherits it too, but has another process id.
  const mark = "TENON_STDOUT_GUARD";
  const id = String(process.pid);
  const flagged = process.argv.some((arg) =>
    /^--(with-mcp-stdio|test-file|print-(service|tool)-description)(=|$)/.test(arg),
  );
  if (!always && !flagged && process.env[mark] !== id) return;
  process.env[mark] = id;
  install();

  // A declared function: V8 compiles it only when it is called, which most starts never do. The surrounding code is
  // compiled at once, in every chunk.
  function install(): void {
    const out = process.stdout;
    // Standard error is created only when something is printed. The method of its class is used, since author code may
    // redirect the method of the instance to standard output.
    const print = (...args: unknown[]): boolean => {
      const err = process.stderr;
      return Reflect.apply((Object.getPrototypeOf(err) as typeof err).write, err, args);
    };
    const write = out.write.bind(out) as GuardedStdout["write"];
    scope[key] = { write };
    // The stream object itself is patched, since named imports and existing consoles refer to it.
    out.write = print as typeof out.write;
    // Standard output stays open when a caller ends it, but the caller's callback is called.
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
      // Properties of the original function are copied too: `util.promisify` finds its own version of `fs.write` there.
      table[name] = Object.defineProperties(make(original), Object.getOwnPropertyDescriptors(original));
    };
    const builtin = process.getBuiltinModule;
    const fs = builtin("node:fs");
    const modules = builtin("node:module");
    for (const name of Object.keys(fs)) {
      if (!/^(write|append|open(Sync)?$)/.test(name)) continue;
      // Standard error is named by its descriptor where possible: hosts may use sockets, which cannot be opened by
      // path.
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

    // `child_process` is patched only after something has loaded it, including Node's own modules: loading it takes
    // longer than the rest of this code, and few services use it.
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
