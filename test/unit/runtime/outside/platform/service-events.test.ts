import { expect, test } from "vitest";
import { serviceEvents } from "../../../../../runtime/outside/platform/service-events.ts";
import type { PlatformApi } from "../../../../../runtime/outside/platform/sidecar/platform-api.ts";
import { systemClock } from "../../../../../runtime/base/clock.ts";

test("a stream that a proxy cuts after a while does not count as a failure, however often", async () => {
  let now = 0;
  let streams = 0;
  const end = 'data: {"type":"platform.job.status","data":{"status":"cancelled"}}\n\n';
  const failures: number[] = [];
  const api = {
    clock: { ...systemClock, now: () => now },
    stream: async () => {
      streams++;
      return { status: 200, headers: {}, body: body(), discard() {} };
    },
    pause: async (_: string, count: number) => void failures.push(count),
  } as unknown as PlatformApi;
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from(":\n\n");
    now += 30_000;
    if (streams === 8) yield Buffer.from(end);
  }
  for await (const { type } of serviceEvents(api, "s", "j")) expect(type).toBe("platform.job.status");
  expect([streams, failures]).toEqual([8, [1, 1, 1, 1, 1, 1, 1]]);
});

test("streams that are open for long without any data are failures", async () => {
  let now = 0;
  const failures: number[] = [];
  const api = {
    clock: { ...systemClock, now: () => now },
    stream: async () => ({ status: 200, headers: {}, body: body(), discard() {} }),
    async pause(_: string, count: number) {
      if (failures.push(count) === 3) throw new Error("given up");
    },
  } as unknown as PlatformApi;
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    now += 120_000;
    yield* [];
  }
  await expect(serviceEvents(api, "s", "j").next()).rejects.toThrow("given up");
  expect(failures).toEqual([1, 2, 3]);
});
