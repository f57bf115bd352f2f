import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CompilerWorker, openCompiler } from "../../../../playground/page/compiler.ts";
import type { FromCompiler, ToCompiler } from "../../../../playground/page/messages.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A compiler whose workers answer when the test says so. */
function opened() {
  const told: FromCompiler[] = [];
  const workers: { readonly got: string[]; answer(): void; isEnded: boolean }[] = [];
  const start = (): CompilerWorker => {
    let hear: (event: { readonly data: FromCompiler }) => void = () => {};
    let last: ToCompiler | undefined;
    const worker = {
      got: [] as string[],
      isEnded: false,
      answer: () => hear({ data: { id: last?.id ?? 0, failure: `of ${last?.source}` } }),
    };
    workers.push(worker);
    return {
      addEventListener: (type: string, listener: never) => void (type === "message" && (hear = listener)),
      postMessage(message) {
        last = message;
        worker.got.push(message.source);
      },
      terminate: () => void (worker.isEnded = true),
    };
  };
  const compiler = openCompiler({ start, tell: (answer) => told.push(answer) });
  return { compiler, told, workers };
}

test("sources that are replaced before their turn are left out", () => {
  const { compiler, told, workers } = opened();
  for (const source of ["a", "b", "c"]) compiler.compile(source);
  workers[0]?.answer();
  workers[0]?.answer();
  expect(workers.map(({ got }) => got)).toEqual([["a", "c"]]);
  expect(told).toEqual([{ id: 3, failure: "of c" }]);
});

test("a source that hangs is told, unless a later one waits: that one gets a worker of its own", () => {
  const { compiler, told, workers } = opened();
  compiler.compile("loads");
  workers[0]?.answer();
  compiler.compile("hangs");
  vi.advanceTimersByTime(15_000);
  compiler.compile("fine");
  vi.advanceTimersByTime(5000);
  expect(workers.map(({ got, isEnded }) => [got, isEnded])).toEqual([
    [["loads", "hangs"], true],
    [["fine"], false],
  ]);
  workers[1]?.answer();
  compiler.compile("hangs");
  vi.advanceTimersByTime(20_000);
  expect(told.slice(1)).toEqual([
    { id: 3, failure: "of fine" },
    { id: 4, failure: "This source takes more than 20 seconds." },
  ]);
  expect(workers[1]?.isEnded).toBe(true);
});
