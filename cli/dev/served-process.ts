import { type ChildProcess, fork, type ForkOptions } from "node:child_process";
import { fileURLToPath } from "node:url";
import { paint, say } from "../base/output.ts";
import type { BuildFailure, LoadedBuild, LoadBuild } from "./dev-host.ts";

/**
 * The process that serves. It survives builds and loads each new build. A crash is reported, and the next build
 * restarts it.
 */
export interface ServedProcess {
  /** True when a process has loaded a build. */
  serving(): boolean;
  load(build: LoadBuild): void;
  /** Passes on why the latest files could not be built; undefined as soon as they are. */
  unbuilt(reason: string | undefined): void;
  /** Ends the process and starts the last build in a new process. */
  restart(): void;
  /** Address of the console; undefined while nothing is served. */
  page(): string | undefined;
  stop(): Promise<void>;
}

interface ServedOptions {
  /** Called for builds that could not be loaded. */
  readonly failed: (generation: number) => void;
  /** Called with the address of the console. */
  readonly opened: (page: string) => void;
  /** Port that a debugger connects to. */
  readonly inspect?: number;
  /** Starts a process; default: `fork`. */
  readonly start?: (host: string, flags: readonly string[], options: ForkOptions) => ChildProcess;
}

/** Creates the process with the first build. */
export function createServedProcess(
  flags: readonly string[],
  { failed, opened, inspect, start = fork }: ServedOptions,
): ServedProcess {
  let child: ChildProcess | undefined;
  let stopping = false;
  /** True while the process waits for its jobs before it is replaced. */
  let isLeaving = false;
  let last: LoadBuild | undefined;
  let page: string | undefined;
  let failure: string | undefined;

  function spawn(): ChildProcess {
    // The path of this file ends with `.js` in the built package and with `.ts` in the sources.
    const host = fileURLToPath(import.meta.url).replace(/[^\\/]+\.(js|ts)$/, "dev-host.$1");
    const made = start(host, onPortOf(page, flags), {
      execArgv: ["--enable-source-maps", ...(inspect === undefined ? [] : [`--inspect=127.0.0.1:${inspect}`])],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    made.once("exit", (code, signal) => {
      child = undefined;
      if (!stopping)
        say(paint("red", `The service ended (${signal ?? `code ${code}`}); the next change starts it again.`));
    });
    made.on("message", ({ generation, outcome, page: address }: LoadedBuild) => {
      page = address ?? page;
      if (address !== undefined) opened(address);
      if (outcome === "loaded" || isLeaving) return;
      failed(generation);
      // Nothing is served yet, so the process ends: its partly loaded modules would disturb the next build.
      if (outcome === "failed" && child === made) {
        child = undefined;
        made.removeAllListeners("exit");
        made.kill();
      }
    });
    return made;
  }

  function sendFailure(): void {
    child?.send({ failure } satisfies BuildFailure);
  }

  /** Starts the last build, which may be newer than the restart that asked for it. */
  function begin(): void {
    isLeaving = false;
    if (stopping || last === undefined) return;
    child = spawn();
    child.send(last);
    if (failure !== undefined) sendFailure();
  }

  return {
    serving: () => child !== undefined,
    load(build) {
      if (stopping) return;
      last = build;
      // The process that replaces this one gets the build.
      if (isLeaving) return;
      child ??= spawn();
      child.send(build);
    },
    unbuilt(reason) {
      if (reason === failure) return;
      failure = reason;
      if (!isLeaving) sendFailure();
    },
    page: () => page,
    restart() {
      const old = child;
      if (stopping || last === undefined) return;
      if (old === undefined) {
        begin();
        return;
      }
      isLeaving = true;
      old.removeAllListeners("exit");
      old.once("exit", begin);
      old.kill("SIGTERM");
    },
    async stop() {
      stopping = true;
      const last = child;
      if (last === undefined) return;
      const ended = new Promise((resolve) => last.once("exit", resolve));
      last.kill("SIGTERM");
      await ended;
    },
  };
}

/**
 * The flags for a process that replaces another one: it uses the same port, which browsers and clients know, even for
 * `--port 0`.
 */
function onPortOf(page: string | undefined, flags: readonly string[]): readonly string[] {
  return page === undefined ? flags : flags.with(flags.indexOf("--port") + 1, new URL(page).port);
}
