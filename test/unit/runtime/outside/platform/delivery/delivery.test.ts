import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Job, JobUrn } from "../../../../../../runtime/job/job.ts";
import type { Delivery } from "../../../../../../runtime/outside/platform/delivery/delivery-to-log.ts";
import { createDelivery } from "../../../../../../runtime/outside/platform/delivery/delivery.ts";
import type { ResultRequest } from "../../../../../../runtime/outside/platform/delivery/result-request.ts";
import { openSpool } from "../../../../../../runtime/outside/platform/delivery/spool.ts";
import type { SidecarClient } from "../../../../../../runtime/outside/platform/sidecar/sidecar-client.ts";
import { flushLogs, loggingInit } from "../../../../../../runtime/telemetry/log/logging.ts";
import { fakeClient, type FakeClient, type Scripted } from "../../../../../support/fake-client.ts";
import { temporaryFolder } from "../../../../../support/temporary-folder.ts";
import { virtualClock, type VirtualClock } from "../../../../../support/virtual-clock.ts";

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  loggingInit({ write: (line) => lines.push(line) });
});

interface Scene {
  readonly folder: string;
  readonly delivery: Delivery;
  readonly files: () => string[];
  /** Ends a job, whose result is reported. */
  report(id: string): void;
}

function scene(client: SidecarClient, clock?: VirtualClock, folder = temporaryFolder()): Scene {
  const config = { platformBaseUrl: "http://127.0.0.1", flags: { testWithoutSidecar: false }, spoolDir: folder };
  const delivery = createDelivery(config, { client, ...(clock && { clock }) });
  onTestFinished(async () => {
    const closed = delivery.close(0);
    await clock?.advance(1);
    await closed;
  });
  return {
    folder,
    delivery,
    files: () => readdirSync(folder).map((name) => name.replace(/^[\d-]+/, "")),
    report(id) {
      const outcome = { state: "succeeded", result: { kind: "json", json: "1" } };
      const job = { id, onEnd: (listener: (outcome: unknown) => void) => listener(outcome) };
      delivery.report(job as unknown as Job, {});
    },
  };
}

function resultOf(id: string, attempt = "1"): ResultRequest {
  const headers = { "Job-Attempt": attempt };
  return { id, headers, isError: false, contentType: "application/json", body: Buffer.from("1") };
}

/** A sidecar that answers after some milliseconds. */
function slowClient(ms: number): FakeClient {
  const client = fakeClient(() => 204);
  return { ...client, send: async (request) => (await sleep(ms), client.send(request)) };
}

function event(delivery: Delivery, id: string, body: object = {}): void {
  delivery.sinks[0]?.emit({ id } as never, { body } as never);
}

const isResult = ({ path }: { readonly path: string }): boolean => path.startsWith("/results/");

test.each([5, 100])("of 100 results that come at once, all are delivered by a sidecar that takes %d ms", async (ms) => {
  const client = slowClient(ms);
  const { report, files } = scene(client);
  for (let n = 0; n < 100; n++) report(`urn:platform:job:${n}`);
  await expect.poll(() => new Set(client.requests.map(({ path }) => path)).size, { timeout: 5000 }).toBe(100);
  await expect.poll(files).toEqual([]);
  expect(client.requests.length).toBe(100);
});

test("results on disk are sent while there are always others under way", async () => {
  const client = slowClient(100);
  const { report } = scene(client);
  let count = 0;
  const traffic = setInterval(() => report(`urn:platform:job:later${count++}`), 10);
  onTestFinished(() => clearInterval(traffic));
  for (let n = 0; n < 100; n++) report(`urn:platform:job:${n}`);
  const first = (): number => client.requests.filter(({ path }) => !path.includes("later")).length;
  await expect.poll(first, { timeout: 3000 }).toBe(100);
});

test.each([
  ["earlier processes left", 20, true],
  ["this process reports", 80, false],
])("results that %s and that the sidecar fails at do not block the others", async (_, bad, onDisk) => {
  const clock = virtualClock();
  const client = fakeClient(({ path }): Scripted => (path.includes("bad") ? 500 : 204));
  const { delivery, folder, files, report } = scene(client, clock);
  const ids = [...Array.from({ length: bad }, (__, n) => `bad${n}`), "good1", "good2"];
  if (onDisk) {
    const spool = openSpool(folder);
    for (const id of ids) await spool.save(resultOf(id));
    void delivery.redeliver();
  } else ids.forEach(report);
  const good = (): number => client.requests.filter(({ path }) => path.includes("good")).length;
  await expect.poll(async () => (await clock.advance(20_000), good()), { interval: 1, timeout: 5000 }).toBe(2);
  await expect.poll(() => files().filter((name) => name === ".result").length).toBe(bad);
  // While others wait, each of those under way is sent five times in 45 s.
  expect(client.requests.length / (clock.now() / 1000)).toBeLessThan(10);
});

test("a result is on disk while the sidecar is away and does not take the events before it", async () => {
  const clock = virtualClock();
  const client = fakeClient((_, count) => (count < 10 ? "unreachable" : 204));
  const { delivery, files } = scene(client, clock);
  const id: JobUrn = "urn:platform:job:a";
  event(delivery, id);
  const ended = delivery.deliver(id, () => Promise.resolve(resultOf(id)));
  await expect.poll(async () => (await clock.settle(), files())).toEqual([".result"]);
  expect(client.requests.filter(isResult)).toEqual([]);
  await expect
    .poll(async () => (await clock.advance(10_000), client.requests.filter(isResult).length), { interval: 1 })
    .toBe(1);
  expect([(await ended).end, files()]).toEqual(["stored", []]);
});

test("a result that was saved behind its events is sent for the attempt that holds the job then", async () => {
  const clock = virtualClock();
  let isAway = true;
  const client = fakeClient(() => (isAway ? "unreachable" : 204));
  const { delivery, files } = scene(client, clock);
  const id: JobUrn = "urn:platform:job:a";
  let attempt = "1";
  event(delivery, id);
  const ended = delivery.deliver(id, () => Promise.resolve(resultOf(id, attempt)));
  await expect.poll(async () => (await clock.settle(), files())).toEqual([".result"]);
  attempt = "2";
  isAway = false;
  await expect
    .poll(async () => (await clock.advance(10_000), client.requests.filter(isResult).length), { interval: 1 })
    .toBe(1);
  expect((await ended).request?.headers).toEqual({ "Job-Attempt": "2" });
  expect(client.requests.filter(isResult).map(({ headers }) => headers?.["Job-Attempt"])).toEqual(["2"]);
  expect(files()).toEqual([]);
});

test("a result that nobody wants any more is not sent, and not left on disk", async () => {
  const clock = virtualClock();
  let isAway = true;
  const client = fakeClient(() => (isAway ? "unreachable" : 204));
  const { delivery, files } = scene(client, clock);
  const id: JobUrn = "urn:platform:job:a";
  event(delivery, id);
  const ended = delivery.deliver(id, () => Promise.resolve(isAway ? resultOf(id) : undefined));
  await expect.poll(async () => (await clock.settle(), files())).toEqual([".result"]);
  isAway = false;
  await expect.poll(async () => (await clock.advance(10_000), files()), { interval: 1 }).toEqual([]);
  expect([await ended, client.requests.filter(isResult)]).toEqual([{ end: "stale" }, []]);
});

test("events that a killed process could not deliver are sent before its result, by the next start", async () => {
  const clock = virtualClock();
  const away = scene(
    fakeClient((_, count) => (count === 1 ? 204 : "unreachable")),
    clock,
  );
  const id: JobUrn = "urn:platform:job:a";
  for (const sequence of [1, 2, 3]) event(away.delivery, id, { sequence });
  void away.delivery.deliver(id, () => Promise.resolve(resultOf(id)));
  await expect.poll(async () => (await clock.settle(), away.files())).toEqual([".result"]);

  const client = fakeClient((_, count) => (count === 1 ? 503 : 204));
  const next = scene(client, clock, away.folder);
  // The job runs here, too, under a later attempt.
  event(next.delivery, id, { sequence: 7 });
  const redelivered = next.delivery.redeliver();
  await expect.poll(async () => (await clock.advance(10_000), next.files()), { interval: 1 }).toEqual([]);
  await redelivered;
  const sent = client.requests.map(({ path, body, headers }) => [
    path.split("/")[1],
    String(body),
    headers?.["Job-Attempt"],
  ]);
  expect(sent.filter(([, , attempt]) => attempt === "1")).toEqual([
    ["events", '{"sequence":2}', "1"],
    ["events", '{"sequence":3}', "1"],
    ["results", "1", "1"],
  ]);
  expect(sent.filter(([, , attempt]) => attempt === undefined)).toEqual([
    ["events", '{"sequence":7}', undefined],
    ["events", '{"sequence":7}', undefined],
  ]);
});

test("events that wait at a shutdown are on disk with their result, and are not said to be lost", async () => {
  const clock = virtualClock();
  const { delivery, files, folder } = scene(
    fakeClient(() => "unreachable"),
    clock,
  );
  const id: JobUrn = "urn:platform:job:a";
  event(delivery, id, { sequence: 1 });
  const ended = delivery.deliver(id, () => Promise.resolve(resultOf(id)));
  await expect.poll(async () => (await clock.settle(), files())).toEqual([".result"]);
  const closed = delivery.close(0);
  await clock.advance(1);
  await closed;
  expect((await ended).end).toBe("left");
  const [file = ""] = await openSpool(folder).list();
  expect((await openSpool(folder).read(file, () => {}))?.events).toEqual([{ sequence: 1 }]);
  await flushLogs();
  expect(lines.filter((line) => line.includes("lost"))).toEqual([]);
  expect(lines.join("")).toContain("it waits on disk for the next start");
});

test("a result is on disk without its events when the disk has no room for both", async () => {
  const files = process.getBuiltinModule("node:fs/promises");
  const { open } = files;
  const almostFull = vi.spyOn(files, "open").mockImplementation(async (...options) => {
    const handle = await open(...options);
    const { writeFile } = handle;
    vi.spyOn(handle, "writeFile").mockImplementation((content) => {
      const written = content instanceof Uint8Array ? content : [...(content as Iterable<string>)].join("");
      const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC", syscall: "write" });
      return written.length > 1000 ? Promise.reject(full) : writeFile.call(handle, written);
    });
    return handle;
  });
  onTestFinished(() => almostFull.mockRestore());
  const clock = virtualClock();
  const { delivery, folder, ...there } = scene(
    fakeClient(() => "unreachable"),
    clock,
  );
  const id: JobUrn = "urn:platform:job:a";
  event(delivery, id, { text: "x".repeat(1000) });
  void delivery.deliver(id, () => Promise.resolve(resultOf(id)));
  await expect.poll(async () => (await clock.settle(), there.files())).toEqual([".result"]);
  const [file = ""] = await openSpool(folder).list();
  const saved = await openSpool(folder).read(file, () => {});
  expect([saved?.request.id, saved?.events]).toEqual([id, []]);
  await flushLogs();
  expect(lines.filter((line) => line.includes("cannot be put on disk")).length).toBe(1);
  expect(lines.join("")).toContain("events cannot be put on disk: they are lost when the process ends");
});
