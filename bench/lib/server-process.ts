import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { sendLoad, type LoadOptions } from "./http-load.ts";
import { peakOf } from "./memory-of.ts";

/** A server in its own process, and on its own core if possible. */
export interface ServerProcess {
  readonly port: number;
  /**
   * Sends `count` requests; resolves to microseconds of processor time and of elapsed time per request,
   * and to the milliseconds that 99 of 100 answers took at most.
   */
  measure(
    request: Buffer,
    count: number,
    expected: string,
    options?: LoadOptions,
  ): Promise<{ readonly cpu: number; readonly wall: number; readonly p99: number }>;
  /** Microseconds of processor time since its start. */
  cpu(): Promise<number>;
  /** Megabytes of memory. */
  memory(): Promise<number>;
  /** Megabytes of the most memory that it has held; NaN where there is no `/proc`. */
  peak(): number;
  /** Takes the processor from the server until `go` is called. */
  hold(): void;
  go(): void;
  stop(): void;
}

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["-V"]).status === 0;

/** Keeps this process, which sends the load, off the core of the servers. */
export function pinLoad(): void {
  if (canPin) spawnSync("taskset", ["-cp", "0", String(process.pid)]);
}

/** Starts a module that calls `reportServer`. */
export async function startServerProcess(
  module: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = fork(module, [...args], {
    ...(canPin && { execPath: "taskset", execArgv: ["-c", "1", process.execPath] }),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, PLATFORM_LOG_LEVEL: "CRITICAL", NODE_ENV: "production", ...env },
  });
  const { port } = (await answerOf(child)) as { port: number };
  const ask = async (): Promise<{ readonly cpu: number; readonly rss: number }> => {
    child.send("usage");
    return (await answerOf(child)) as { cpu: number; rss: number };
  };
  return {
    port,
    async measure(request, count, expected, options) {
      const before = await ask();
      let start = 0;
      const onOpen = (): void => void (start = performance.now());
      const times = await sendLoad(port, request, count, expected, { ...options, onOpen });
      const wall = ((performance.now() - start) * 1000) / count;
      return {
        cpu: ((await ask()).cpu - before.cpu) / count,
        wall,
        p99: times[Math.floor(count * 0.99)] ?? Number.NaN,
      };
    },
    cpu: async () => (await ask()).cpu,
    memory: async () => (await ask()).rss / 2 ** 20,
    peak: () => peakOf(child.pid ?? 0),
    hold: () => void child.kill("SIGSTOP"),
    go: () => void child.kill("SIGCONT"),
    stop: () => void child.kill("SIGKILL"),
  };
}

/** Reports the server's port to the parent process, and its resource use on request. */
export function reportServer(port: number): void {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() });
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.({ port });
}

function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void => reject(new Error(`A server ended with exit code ${code}.`));
    child.once("exit", fail);
    child.once("message", (message) => {
      child.off("exit", fail);
      resolve(message);
    });
  });
}
