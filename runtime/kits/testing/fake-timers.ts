import type { VirtualTime } from "./virtual-time.ts";

type Callback = (...parameters: unknown[]) => void;

/** Return value of the fake `setTimeout`, with the members of Node's. */
class FakeTimeout implements Disposable {
  readonly #start: () => () => void;
  #stop: () => void;

  constructor(start: () => () => void) {
    this.#start = start;
    this.#stop = start();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.#stop();
    this.#stop = this.#start();
    return this;
  }

  close(): this {
    this.#stop();
    return this;
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

/**
 * Replaces the timers and clocks of the process by virtual time. `wall`: milliseconds since 1970. Returns a function
 * that restores them.
 */
export function installFakeTimers(time: VirtualTime, wall: () => number): () => void {
  const undo: (() => void)[] = [];
  const replace = (target: object, members: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(members)) {
      const before = Object.getOwnPropertyDescriptor(target, name);
      Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
      undo.push(() => {
        if (before === undefined) Reflect.deleteProperty(target, name);
        else Object.defineProperty(target, name, before);
      });
    }
  };
  const timers = process.getBuiltinModule("node:timers");
  const promises = process.getBuiltinModule("node:timers/promises");
  const { syncBuiltinESMExports } = process.getBuiltinModule("node:module");

  const callbacks = fakeCallbacks(time);
  replace(globalThis, { ...callbacks, Date: fakeDate(wall) });
  replace(timers, callbacks);
  replace(promises, fakePromises(time));
  replace(promises.scheduler, { wait: (ms: number, options?: WaitOptions) => wait(time, ms, undefined, options) });
  replace(performance, { now: () => time.now() });
  replace(AbortSignal, { timeout: (ms: number) => timeoutSignal(time, ms) });
  syncBuiltinESMExports();
  return () => {
    for (const step of undo.toReversed()) step();
    syncBuiltinESMExports();
  };
}

function fakeCallbacks(time: VirtualTime): Readonly<Record<string, unknown>> {
  const { clearTimeout: clearReal } = globalThis;
  const clear = (timer: unknown): void => {
    if (timer instanceof FakeTimeout) timer.close();
    // A timer that was set before the clock was stopped is a real one.
    else clearReal(timer as NodeJS.Timeout);
  };
  return {
    setTimeout: (callback: Callback, ms = 0, ...parameters: unknown[]) =>
      new FakeTimeout(() => time.after(ms, () => callback(...parameters))),
    setInterval: (callback: Callback, ms = 0, ...parameters: unknown[]) =>
      new FakeTimeout(() => {
        const next = (): (() => void) =>
          time.after(Math.max(1, ms), () => {
            stop = next();
            callback(...parameters);
          });
        let stop = next();
        return () => stop();
      }),
    clearTimeout: clear,
    clearInterval: clear,
  };
}

interface WaitOptions {
  readonly signal?: AbortSignal;
}

function fakePromises(time: VirtualTime): Readonly<Record<string, unknown>> {
  return {
    setTimeout: <T>(ms: number, value: T, options?: WaitOptions) => wait(time, ms, value, options),
    async *setInterval<T>(ms: number, value: T, options?: WaitOptions): AsyncGenerator<T, void, undefined> {
      for (;;) yield await wait(time, Math.max(1, ms), value, options);
    },
  };
}

function wait<T>(time: VirtualTime, ms: number, value: T, { signal }: WaitOptions = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel();
      const error = new Error("The operation was aborted", { cause: signal?.reason });
      reject(Object.assign(error, { name: "AbortError", code: "ABORT_ERR" }));
    };
    const cancel = time.after(ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    });
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

function timeoutSignal(time: VirtualTime, ms: number): AbortSignal {
  const controller = new AbortController();
  time.after(ms, () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")));
  return controller.signal;
}

/** A `Date` whose current time is `wall`. Everything else, `instanceof` included, is as for the real class. */
function fakeDate(wall: () => number): DateConstructor {
  return new Proxy(Date, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, parameters.length === 0 ? [wall()] : parameters, newTarget) as Date,
    apply: (target) => new target(wall()).toString(),
    get: (target, name, receiver) => (name === "now" ? wall : (Reflect.get(target, name, receiver) as unknown)),
  });
}
