/** Compiles files one after the other, in batches. */
export interface CompileQueue<T> {
  add(file: string, text: string): Promise<T>;
}

/** Steps of a queue. */
export interface QueueSteps<P, T> {
  /** Opens the project for compiling. If opening fails, every waiting file fails. */
  readonly open: (file: string) => Promise<P>;
  /** Adds the files of a batch before the first of them is compiled. */
  readonly begin: (project: P, files: ReadonlyMap<string, string>) => void;
  readonly compile: (project: P, file: string, text: string) => T;
}

interface Waiting<T> {
  readonly file: string;
  readonly text: string;
  readonly settle: (result: Promise<T>) => void;
}

/**
 * Creates a queue that yields to the event loop between two files, so that the bundler, in its own process or thread,
 * can already continue with compiled files. Files that arrive meanwhile form the next batch, since growing the program
 * costs more than compiling a file.
 */
export function createCompileQueue<P, T>({ open, begin, compile }: QueueSteps<P, T>): CompileQueue<T> {
  let waiting: Waiting<T>[] = [];
  let isRunning = false;

  /**
   * Compiles all files that are waiting once everything is loaded, and those that arrive in the same turn of the event
   * loop.
   */
  async function compileBatch(first: string): Promise<void> {
    const project = await open(first);
    await nextTurn();
    const batch = waiting;
    begin(project, new Map(batch.map(({ file, text }) => [file, text])));
    waiting = [];
    for (const { file, text, settle } of batch) {
      settle(new Promise((resolve) => resolve(compile(project, file, text))));
      await nextTurn();
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      try {
        await compileBatch(next.file);
      } catch (error) {
        for (const { settle } of waiting) settle(Promise.reject(error as Error));
        waiting = [];
      }
    }
    isRunning = false;
  }

  return {
    add(file, text) {
      const result = new Promise<T>((settle) => waiting.push({ file, text, settle }));
      if (!isRunning) void run();
      return result;
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
