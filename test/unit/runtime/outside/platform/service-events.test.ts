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

interface Answer {
  readonly type?: string;
  readonly text: string;
}

/** A platform that gives up after the third failure, and what it was asked. */
function scripted(answers: (count: number) => Answer): { api: PlatformApi; resumed: unknown[]; reasons: string[] } {
  const resumed: unknown[] = [];
  const reasons: string[] = [];
  const api = {
    clock: { ...systemClock, now: () => 0 },
    async stream({ headers }: { headers: Record<string, string> }) {
      resumed.push(headers["Last-Event-ID"]);
      const { type, text } = answers(resumed.length);
      return { status: 200, headers: { "content-type": type }, body: [Buffer.from(text)], discard() {} };
    },
    async pause(_: string, count: number, { reason }: { reason: string }) {
      if (reasons.push(reason) > 20 || count === 3) throw new Error("given up");
    },
  } as unknown as PlatformApi;
  return { api, resumed, reasons };
}

const line = (id: number, status: string): string =>
  `id: ${id}\ndata: {"type":"platform.job.status","data":{"status":"${status}"}}\n\n`;

test("events that come again after a cut are left out, and the newest one stays the place to go on", async () => {
  const all = [1, 2, 3, 4].map((id) => line(id, "executing")).join("");
  const { api, resumed } = scripted((count) => ({
    text: count === 3 ? all + line(5, "cancelled") : all.slice(0, -count * 10),
  }));
  const ids: unknown[] = [];
  for await (const { id } of serviceEvents(api, "s", "j")) ids.push(id);
  expect(ids).toEqual(["1", "2", "3", "4", "5"]);
  expect(resumed).toEqual([undefined, "3", "3"]);
});

test("several events of one stream may have one id", async () => {
  const { api } = scripted(() => ({ text: line(1, "executing") + line(1, "executing") + line(1, "cancelled") }));
  const seen: unknown[] = [];
  for await (const { data } of serviceEvents(api, "s", "j")) seen.push(data);
  expect(seen.length).toBe(3);
});

test.each([
  ["with an id", 'id: 1\ndata: {"a":1}\n\n', 1],
  ["without an id", 'data: {"a":1}\n\n', 3],
])("a server that sends one event %s again and again is given up", async (_, text, most) => {
  const { api, reasons } = scripted(() => ({ text }));
  let count = 0;
  const read = async (): Promise<void> => {
    for await (const { data } of serviceEvents(api, "s", "j")) count += data === undefined ? 0 : 1;
  };
  await expect(read()).rejects.toThrow("given up");
  expect(count).toBe(most);
  expect(reasons.length).toBe(3);
});

test("a web page is named", async () => {
  const { api, reasons } = scripted(() => ({ type: "text/html; charset=utf-8", text: "<html>Welcome!</html>" }));
  await expect(serviceEvents(api, "s", "j").next()).rejects.toThrow("given up");
  expect(reasons[2]).toBe("the platform's answer (text/html; charset=utf-8) was not an event stream");
});
