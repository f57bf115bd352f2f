import { expect, test } from "vitest";
import { serviceEvents } from "../../../../../runtime/outside/platform/service-events.ts";
import type { PlatformApi } from "../../../../../runtime/outside/platform/sidecar/platform-api.ts";
import { SidecarError } from "../../../../../runtime/outside/platform/sidecar/sidecar-client.ts";
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

test.each([
  ["without any data", []],
  ["and silent after their first data", [Buffer.from(":\n\n")]],
])("streams that are open for long %s are failures", async (_, first) => {
  let now = 0;
  const failures: number[] = [];
  const api = {
    clock: { ...systemClock, now: () => now },
    stream: async () => ({ status: 200, headers: {}, body: body(), discard() {} }),
    async pause(__: string, count: number) {
      if (failures.push(count) === 3) throw new Error("given up");
    },
  } as unknown as PlatformApi;
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* first;
    now += 120_000;
    throw new SidecarError("silent", "no data came for 120000 ms");
  }
  await expect(serviceEvents(api, "s", "j").next()).rejects.toThrow("given up");
  expect(failures).toEqual([1, 2, 3]);
});
