import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** A server under attack, in a process of its own. */
export interface Target {
  readonly port: number;
  /** Megabytes of memory; undefined when the process does not answer within five seconds. */
  memory(): Promise<number | undefined>;
  /** Megabytes of memory, and of its heap; undefined like {@link memory}. */
  usage(): Promise<{ readonly memory: number; readonly heap: number; readonly mostHeap: number } | undefined>;
  /**
   * Milliseconds of processor time of the longest turn of its event loop since anything was asked; undefined where a
   * server does not tell.
   */
  longest(): Promise<number | undefined>;
  /** Exit of the process, if it has ended. */
  readonly ended: string | undefined;
  /** Exit of a process that may be ending, which breaks its connections first; waits a second at most. */
  settled(): Promise<string | undefined>;
  stop(): Promise<void>;
}

export interface TargetOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Largest file that the process may write, in blocks of 512 bytes: a disk that is full behind it. */
  readonly fileBlocks?: number;
  /** Descriptors that the process may have. */
  readonly openFiles?: number;
  /** File that the process writes its id into: the door of a group with a limit. */
  readonly door?: string;
}

interface Usage {
  readonly rss: number;
  readonly longest?: number;
  /** Bytes of the heap that are in use, and that it may have. */
  readonly heap?: number;
  readonly mostHeap?: number;
}

/** Starts a module that reports its port, and its use of memory when asked. */
export async function startTarget(module: string, options: TargetOptions = {}): Promise<Target> {
  const { args = [], env = {}, cwd, fileBlocks, openFiles, door } = options;
  const limits = [
    ...(fileBlocks === undefined ? [] : [`ulimit -f ${fileBlocks}; `]),
    ...(openFiles === undefined ? [] : [`ulimit -n ${openFiles}; `]),
    ...(door === undefined ? [] : [`echo $$ > ${door}; `]),
  ].join("");
  const child = fork(module, [...args], {
    ...(cwd !== undefined && { cwd }),
    // The shell's place is taken by Node, so that the limit holds and the channel stays.
    ...(limits !== "" && {
      execPath: "/bin/sh",
      execArgv: ["-c", `${limits}exec "$0" "$@"`, process.execPath],
    }),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: {
      HOST: "127.0.0.1",
      PORT: "0",
      PLATFORM_LOG_LEVEL: "CRITICAL",
      NODE_ENV: "production",
      ...env,
    },
  });
  let ended: string | undefined;
  const gone = Promise.withResolvers<undefined>();
  child.once("exit", (code, signal) => {
    ended = signal ?? `exit code ${code}`;
    gone.resolve(undefined);
  });
  const waiting: ((message: unknown) => void)[] = [];
  child.on("message", (message) => waiting.shift()?.(message));
  const answer = (): Promise<unknown> => new Promise((resolve) => waiting.push(resolve));
  const first = (await Promise.race([answer(), gone.promise])) as { readonly port: number } | undefined;
  if (first === undefined) throw new Error(`${module} ended at its start: ${ended}.`);
  const usage = async (): Promise<Usage | undefined> => {
    if (ended !== undefined) return undefined;
    const told = answer();
    child.send("usage");
    const late = sleep(5000, undefined, { ref: false });
    return (await Promise.race([told, late, gone.promise])) as Usage | undefined;
  };
  return {
    port: first.port,
    get ended() {
      return ended;
    },
    async settled() {
      await Promise.race([gone.promise, sleep(1000, undefined, { ref: false })]);
      return ended;
    },
    async memory() {
      const found = await usage();
      return found === undefined ? undefined : found.rss / 2 ** 20;
    },
    async usage() {
      const found = await usage();
      if (found === undefined) return undefined;
      const { rss, heap = 0, mostHeap = 0 } = found;
      return { memory: rss / 2 ** 20, heap: heap / 2 ** 20, mostHeap: mostHeap / 2 ** 20 };
    },
    async longest() {
      return (await usage())?.longest;
    },
    async stop() {
      child.kill("SIGKILL");
      await gone.promise;
    },
  };
}
