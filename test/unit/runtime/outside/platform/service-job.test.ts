import { expect, test } from "vitest";
import { createServiceJob, type WaitOptions } from "../../../../../runtime/outside/platform/service-job.ts";
import type { PlatformApi } from "../../../../../runtime/outside/platform/sidecar/platform-api.ts";
import { virtualClock } from "../../../../support/virtual-clock.ts";

test.each<[retryLater: number | undefined, WaitOptions, minutes: number, polls: number]>([
  [undefined, {}, 1, 13],
  [2, {}, 1, 31],
  [0.001, {}, 1, 121],
  [1e12, {}, 120, 3],
  [2, { pollInterval: 30 }, 1, 3],
  [undefined, { pollInterval: Infinity }, 120, 3],
])(
  "with a hint of %s s and %j, in %i minutes a job is polled %i times",
  async (retryLater, options, minutes, polls) => {
    const clock = virtualClock();
    let calls = 0;
    const api = {
      clock,
      signal: new AbortController().signal,
      async call() {
        calls++;
        return { status: 200, headers: {}, body: Buffer.from('{"status":"executing"}') };
      },
    } as unknown as PlatformApi;
    const job = createServiceJob(api, "s", { urn: "urn:platform:job:7", status: "pending", retryLater });
    void job.wait(options);
    await clock.advance(minutes * 60_000);
    expect(calls).toBe(polls);
  },
);
