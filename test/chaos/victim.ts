import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";

export interface VictimOptions {
  readonly name: string;
  readonly entry: string;
  readonly words?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Matches its message on stderr when it is ready. */
  readonly ready: RegExp;
}

/** A process that is restarted in the same folder whenever it is killed; `log` has its stderr. */
export interface Victim {
  readonly name: string;
  /** True while it runs and is ready. */
  readonly isReady: boolean;
  /** Resolves when it is ready. */
  ready(): Promise<void>;
  /** Sends SIGKILL; returns false when there is no process. */
  kill(): boolean;
  /** SIGSTOP, and SIGCONT after a while. */
  pause(milliseconds: number): void;
  /** Ends it for good. */
  stop(): Promise<void>;
}

export function startVictim({ name, entry, words = [], env, folder, ready }: VictimOptions): Victim {
  let child: ChildProcess;
  let arrival = Promise.withResolvers<void>();
  let isReady = false;
  let stopped = false;
  const gone = Promise.withResolvers<void>();

  function start(): void {
    const begun = spawn(process.execPath, [entry, ...words], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", ...env },
    });
    child = begun;
    isReady = false;
    let said = "";
    begun.stderr.on("data", (chunk) => {
      said += String(chunk);
      appendFileSync(join(folder, "log"), chunk);
      if (isReady || child !== begun || !ready.test(said)) return;
      isReady = true;
      arrival.resolve();
      arrival = Promise.withResolvers<void>();
    });
    begun.stdout.resume();
    begun.on("close", (code) => {
      if (stopped) gone.resolve();
      // A process that ends by itself has an error; restarting it at once would only fill the machine.
      else if (code === null) start();
      else setTimeout(() => (stopped ? gone.resolve() : start()), 500);
    });
  }

  start();
  return {
    name,
    get isReady() {
      return isReady;
    },
    ready: () => (isReady ? Promise.resolve() : arrival.promise),
    kill() {
      isReady = false;
      return child.kill("SIGKILL");
    },
    pause(milliseconds) {
      const paused = child;
      paused.kill("SIGSTOP");
      setTimeout(() => paused.kill("SIGCONT"), milliseconds);
    },
    async stop() {
      stopped = true;
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await gone.promise;
    },
  };
}
