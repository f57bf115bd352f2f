import type { OutboundJob } from "./decide-request.ts";
import { createDispatchHook } from "./dispatch-hook.ts";
import { createFetchHook } from "./fetch-hook.ts";
import type { OutboundHook } from "./hook.ts";
import { createHttpHook } from "./http-hook.ts";
import { markLate } from "./late-copies.ts";
import { createContext } from "./outbound-context.ts";
import { patchBuiltins } from "./patch-builtins.ts";
import { patchDispatcher, patchUndiciIndex } from "./patch-dispatcher.ts";
import { patchFetch } from "./patch-fetch.ts";
import type { OutboundPolicy } from "./policy.ts";
import { watchUnseen } from "./watch-unseen.ts";
import { dispatcherFile, undiciIndexFile } from "./undici-files.ts";

export interface OutboundOptions {
  /** The job of the current async context, for example `() => currentJob.getStore()`. */
  readonly job: () => OutboundJob | undefined;
  readonly policy: OutboundPolicy;
  /** Takes a warning about a client whose requests are not covered; each comes once. */
  readonly warn?: (text: string) => void;
}

/**
 * Makes outbound requests of jobs carry what the policy says: of `fetch`, every copy of undici, `node:http` and
 * `node:https`, and of all clients that are built on them. Once per thread. Outside a job nothing changes.
 *
 * @returns Puts back what was there before; the patches stay and then do nothing.
 */
export function installOutbound({ job, policy, warn }: OutboundOptions): () => void {
  const context = createContext(job, policy, warn);
  patchFetch();
  patchBuiltins();
  patchUndiciCopies();
  const hook: OutboundHook = {
    ...createDispatchHook(context),
    ...createFetchHook(context),
    ...createHttpHook(context),
  };
  const scope = globalThis as { [hookKey]?: OutboundHook | undefined };
  const before = scope[hookKey];
  scope[hookKey] = hook;
  const stopWatching = watchUnseen(context);
  return () => {
    stopWatching();
    if (scope[hookKey] === hook) scope[hookKey] = before;
  };
}

const hookKey: unique symbol = Symbol.for("tenon.outbound") as never;
const patchedKey: unique symbol = Symbol.for("tenon.outbound.patched") as never;

interface CommonJsModules {
  readonly _cache: Readonly<Record<string, { readonly exports: unknown } | undefined>>;
  readonly prototype: { _compile: Compile & { [patchedKey]?: true } };
}

type Compile = (this: { exports: unknown }, content: string, file: string, ...rest: unknown[]) => unknown;

/** Copies that are loaded from disk: in tests, in development, and packages that a bundle leaves out. */
function patchUndiciCopies(): void {
  const { _cache: cache, prototype: modules } = process.getBuiltinModule("node:module")
    .Module as unknown as CommonJsModules;
  for (const [file, module] of Object.entries(cache)) patchUndiciFile(file, module?.exports, true);
  const original = modules._compile;
  if (original[patchedKey] === true) return;
  const compile: Compile = function (content, file, ...rest) {
    const result = original.call(this, content, file, ...rest);
    patchUndiciFile(file, this.exports);
    return result;
  };
  modules._compile = Object.defineProperty(compile, patchedKey, { value: true });
}

function patchUndiciFile(file: string, exports: unknown, late = false): void {
  if (dispatcherFile.test(file) && typeof exports === "function") {
    const { prototype } = exports as unknown as { readonly prototype: Parameters<typeof patchDispatcher>[0] };
    if (patchDispatcher(prototype) && late) markLate(prototype);
  } else if (undiciIndexFile.test(file) && typeof exports === "object" && exports !== null && "Dispatcher" in exports) {
    patchUndiciIndex(exports as { [name: string]: unknown });
  }
}
