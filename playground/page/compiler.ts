import type { FromCompiler, ToCompiler } from "./messages.ts";

/** The compiler in its worker. */
export interface Compiler {
  /** Compiles a source. Sources that are replaced before their turn get no answer. */
  compile(source: string): void;
}

/** The worker of the compiler, as far as it is used here. */
export interface CompilerWorker {
  addEventListener(type: "message", listener: (event: { readonly data: FromCompiler }) => void): void;
  addEventListener(type: "error", listener: (event: { readonly message: string }) => void): void;
  postMessage(message: ToCompiler): void;
  terminate(): void;
}

interface CompilerOptions {
  /** Starts a worker, which is loaded with its first source. */
  readonly start: () => CompilerWorker;
  /** Called with the answer for the latest source; earlier answers are dropped. */
  readonly tell: (answer: FromCompiler) => void;
}

/** Milliseconds after which a source is given up. */
const longestCompilation = 20_000;
/** The same for a source with which the compiler is loaded. */
const longestLoad = 60_000;

/**
 * Opens the compiler. It gets one source at a time, so that one which takes too long, and ends its worker, is known; the
 * next one gets another worker.
 */
export function openCompiler({ start, tell }: CompilerOptions): Compiler {
  let last: ToCompiler = { id: 0, source: "" };
  let worker: CompilerWorker | undefined;
  /** Id of the source that the worker has got last. */
  let sent = 0;
  let isBusy = false;
  let isLoaded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    isBusy = isLoaded = false;
  };
  /** The worker has failed at a source: its author is told, unless a newer one waits, which gets a new worker. */
  const fail = (failure: string): void => {
    end();
    if (sent === last.id) tell({ id: last.id, failure });
    else send();
  };
  const open = (): CompilerWorker => {
    const made = start();
    made.addEventListener("message", ({ data }) => {
      clearTimeout(timer);
      isLoaded = true;
      isBusy = false;
      if (data.id === last.id) tell(data);
      else send();
    });
    made.addEventListener("error", ({ message }) => fail(message || "It could not be loaded."));
    return made;
  };
  const send = (): void => {
    sent = last.id;
    isBusy = true;
    (worker ??= open()).postMessage(last);
    const longest = isLoaded ? longestCompilation : longestLoad;
    timer = setTimeout(() => fail(`This source takes more than ${longest / 1000} seconds.`), longest);
  };
  return {
    compile(source) {
      last = { id: last.id + 1, source };
      if (!isBusy) send();
    },
  };
}
