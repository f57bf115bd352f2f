import type { FromCompiler, ToCompiler } from "./messages.ts";

/** The compiler in its worker. */
export interface Compiler {
  /** Compiles a source. Sources that are replaced before their turn get no answer. */
  compile(source: string): void;
}

/**
 * Starts the worker, which loads the compiler.
 *
 * @param tell Called with the answer for the latest source; earlier answers are dropped
 */
export function openCompiler(tell: (answer: FromCompiler) => void): Compiler {
  const worker = new Worker("worker.js");
  let last = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<FromCompiler>) => {
    if (data.id === last) tell(data);
  });
  worker.addEventListener("error", ({ message }) => tell({ id: last, failure: message || "It could not be loaded." }));
  return {
    compile(source) {
      const message: ToCompiler = { id: ++last, source };
      worker.postMessage(message);
    },
  };
}
