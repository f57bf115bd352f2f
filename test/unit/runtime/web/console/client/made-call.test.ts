import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Backend, JobEvent } from "../../../../../../runtime/web/console/client/backend.ts";
import type { Answer } from "../../../../../../runtime/web/console/client/calls.ts";

interface Made {
  readonly state: { get(): object };
  follow(): () => void;
}

// Imported by a name that the compiler does not follow, since types of browsers are not known here.
const path: string = "../../../../../../runtime/web/console/client/made-call.ts";
const { makeCall } = (await import(path)) as { makeCall(...given: readonly unknown[]): Made };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", () => 1);
  vi.stubGlobal("cancelAnimationFrame", () => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Calls a tool without steps that takes three seconds. `skew`: milliseconds by which the service's clock is ahead. */
function slowCall(skew = 0, joined = "1", calls = new Map<string, unknown>()): Made {
  const end = Date.now() + 3000;
  const status: JobEvent = { number: 1, type: "platform.job.status", at: end + skew, data: {}, raw: {} };
  const backend: Pick<Backend, "start" | "events" | "output"> = {
    start: async ({ jobId }) => ({ jobId: joined === "1" ? jobId : joined }),
    events: async function* (id, __, signal) {
      expect(calls.has(id)).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, end - Date.now()));
      signal.throwIfAborted();
      yield status;
    },
    output: async () => ({ status: 200 }) as Answer,
  };
  return makeCall({ backend, calls }, { body: "{}" });
}

test.each([0, 60_000, -60_000])(
  "a call without steps has its duration, also with a clock that differs by %d",
  async (skew) => {
    const made = slowCall(skew);
    made.follow();
    await vi.advanceTimersByTimeAsync(5000);
    expect(made.state.get()).toMatchObject({ took: 3000, answer: { status: 200 } });
  },
);

test("a call that ended while the page showed something else has its duration by the clock of the service", async () => {
  const made = slowCall();
  made.follow()();
  await vi.advanceTimersByTimeAsync(10_000);
  made.follow();
  await vi.advanceTimersByTimeAsync(1);
  expect(made.state.get()).toMatchObject({ took: 3000, answer: { status: 200 } });
});

test("a call that has joined the job of an earlier one follows that job, which has its request now", async () => {
  const calls = new Map<string, unknown>([["first", { body: "before" }]]);
  const made = slowCall(0, "first", calls);
  made.follow();
  await vi.advanceTimersByTimeAsync(5000);
  expect(made.state.get()).toMatchObject({ call: { jobId: "first" }, answer: { status: 200 } });
  expect(calls.get("first")).toMatchObject({ body: "{}" });
});
