import type { FromCompiler, ToCompiler } from "./messages.ts";

/** The compiler in its worker. */
export interface Compiler {
  /** Compiles a source. Sources that are replaced before their turn get no answer. */
  compile(source: string): void;
}

/** Milliseconds after which a source is given up. */
const longestCompilation = 20_000;
/** The same for a source with which the compiler is loaded. */
const longestLoad = 60_000;

/**
 * Opens the compiler. A source that takes too long ends its worker; the next one gets another.
 *
 * @param tell Called with the answer for the latest source; earlier answers are dropped
 */
export function openCompiler(tell: (answer: FromCompiler) => void): Compiler {
  let last = 0;
  let worker: Worker | undefined;
  let isLoaded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const fail = (failure: string): void => {
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    isLoaded = false;
    tell({ id: last, failure });
  };
  const open = (): Worker => {
    const made = new Worker("worker.js");
    made.addEventListener("message", ({ data }: MessageEvent<FromCompiler>) => {
      isLoaded = true;
      if (data.id !== last) return;
      clearTimeout(timer);
      tell(data);
    });
    made.addEventListener("error", ({ message }) => fail(message || "It could not be loaded."));
    return made;
  };
  return {
    compile(source) {
      const message: ToCompiler = { id: ++last, source };
      (worker ??= open()).postMessage(message);
      clearTimeout(timer);
      const longest = isLoaded ? longestCompilation : longestLoad;
      timer = setTimeout(() => fail(`This source takes more than ${longest / 1000} seconds.`), longest);
    },
  };
}
