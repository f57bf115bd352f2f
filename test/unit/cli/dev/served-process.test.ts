import { EventEmitter } from "node:events";
import type { ChildProcess } from "node:child_process";
import { expect, test } from "vitest";
import type { BuildFailure, LoadBuild, LoadedBuild } from "../../../../cli/dev/dev-host.ts";
import { createServedProcess, type ServedProcess } from "../../../../cli/dev/served-process.ts";

/** A process that ends when the test says so. */
class FakeProcess extends EventEmitter {
  readonly builds: number[] = [];
  readonly signals: unknown[] = [];
  readonly failures: unknown[] = [];

  send(message: LoadBuild | BuildFailure): boolean {
    return ("entry" in message ? this.builds.push(message.generation) : this.failures.push(message.failure)) > 0;
  }

  kill(signal?: unknown): boolean {
    return this.signals.push(signal) > 0;
  }

  answer(answer: LoadedBuild): void {
    this.emit("message", answer);
  }
}

const build = (generation: number): LoadBuild => ({
  outdir: "out",
  entry: `${generation}.js`,
  generation,
  replaced: [],
  dropped: [],
  committed: undefined,
});

interface Watched {
  readonly served: ServedProcess;
  readonly processes: readonly FakeProcess[];
  readonly failures: readonly number[];
}

function watched(): Watched {
  const processes: FakeProcess[] = [];
  const failures: number[] = [];
  const served = createServedProcess([], {
    failed: (generation) => void failures.push(generation),
    opened() {},
    start: () => processes[processes.push(new FakeProcess()) - 1] as unknown as ChildProcess,
  });
  return { served, processes, failures };
}

test("a build that comes while the process is being replaced is loaded by its successor", () => {
  const { served, processes, failures } = watched();
  served.load(build(1));
  const [old] = processes;
  old?.answer({ generation: 1, outcome: "loaded" });
  served.restart();
  served.load(build(2));
  served.load(build(3));
  expect(served.serving()).toBe(true);
  expect([processes.length, old?.builds, old?.signals]).toEqual([1, [1], ["SIGTERM"]]);
  old?.emit("exit", 0, null);
  expect([processes.length, processes[1]?.builds, failures]).toEqual([2, [3], []]);
  served.load(build(4));
  expect(processes[1]?.builds).toEqual([3, 4]);
});

test("a process that fails to load a build while it is being replaced has a successor", () => {
  const { served, processes, failures } = watched();
  served.load(build(1));
  served.restart();
  processes[0]?.answer({ generation: 1, outcome: "failed" });
  processes[0]?.emit("exit", 0, null);
  expect([processes.length, processes[1]?.builds, failures]).toEqual([2, [1], []]);
});

test("nothing starts after a stop, also where a process was being replaced", async () => {
  const { served, processes } = watched();
  served.load(build(1));
  served.restart();
  const stopped = served.stop();
  processes[0]?.emit("exit", 0, null);
  await stopped;
  expect(processes).toHaveLength(1);
});

test("a process hears once why the latest files could not be built, as does its successor, until they are", () => {
  const { served, processes } = watched();
  served.unbuilt("a.ts:1:1 no");
  served.unbuilt(undefined);
  served.load(build(1));
  for (const reason of ["a.ts:2:1 no", "a.ts:2:1 no"]) served.unbuilt(reason);
  served.restart();
  processes[0]?.emit("exit", 0, null);
  served.unbuilt(undefined);
  expect(processes.map(({ failures }) => failures)).toEqual([["a.ts:2:1 no"], ["a.ts:2:1 no", undefined]]);
});
