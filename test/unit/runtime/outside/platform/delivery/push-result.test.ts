import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDelivery } from "../../../../../../runtime/outside/platform/delivery/delivery.ts";
import { pushResult, type PushEnd } from "../../../../../../runtime/outside/platform/delivery/push-result.ts";
import type { ResultRequest } from "../../../../../../runtime/outside/platform/delivery/result-request.ts";
import { openSpool } from "../../../../../../runtime/outside/platform/delivery/spool.ts";
import { createSidecarClient } from "../../../../../../runtime/outside/platform/sidecar/sidecar-client.ts";
import { loggingInit } from "../../../../../../runtime/telemetry/log/logging.ts";
import { fakeClient, type FakeClient, type Scripted } from "../../../../../support/fake-client.ts";
import { temporaryFolder } from "../../../../../support/temporary-folder.ts";
import { virtualClock } from "../../../../../support/virtual-clock.ts";

loggingInit({ write() {} });

interface Scene {
  readonly clock: ReturnType<typeof virtualClock>;
  readonly client: FakeClient;
  readonly stop: AbortController;
  readonly files: () => string[];
  readonly ends: PushEnd[];
}

const request: ResultRequest = {
  id: "urn:platform:job:a",
  headers: { Authorization: "Bearer a", "Job-Lease": "l" },
  isError: false,
  contentType: "text/plain; charset=utf-8",
  body: Buffer.from("hi"),
};

function scene(script: (count: number) => Scripted): Scene {
  const folder = temporaryFolder();
  const clock = virtualClock();
  const client = fakeClient((_, count) => script(count));
  const stop = new AbortController();
  const ends: PushEnd[] = [];
  void pushResult(request, { client, clock, spool: openSpool(folder), signal: stop.signal }).then((end) =>
    ends.push(end),
  );
  return { clock, client, stop, ends, files: () => readdirSync(folder).map((name) => name.replace(/^[\d-]+/, "")) };
}

/** File operations take turns of the real event loop. */
async function until(condition: () => boolean, pass: () => Promise<void>): Promise<void> {
  await expect.poll(async () => (await pass(), condition()), { interval: 1 }).toBe(true);
}

test("the call: encoded id, own token and attempt, Is-Error, content type", async () => {
  const { client, clock, files } = scene(() => 204);
  await clock.settle();
  expect(client.requests).toEqual([
    expect.objectContaining({
      method: "POST",
      path: "/results/urn%3Aplatform%3Ajob%3Aa",
      body: request.body,
      headers: {
        Authorization: "Bearer a",
        "Job-Lease": "l",
        "Content-Type": "text/plain; charset=utf-8",
        "Is-Error": "false",
      },
    }),
  ]);
  expect(files()).toEqual([]);
});

test.each<[Scripted, PushEnd]>([
  [200, "stored"],
  [204, "stored"],
  [201, "stored"],
  [409, "stale"],
  [410, "stale"],
])("%j is %s, at once", async (answer, end) => {
  const { ends, clock, client, files } = scene(() => answer);
  await clock.settle();
  expect([ends, client.requests.length, files()]).toEqual([[end], 1, []]);
});

test.each<Scripted>(["unreachable", "broken", "silent", "too-large", 500, 503, 429, 408])(
  "%j nine times and then 204: stored once, on disk in between",
  async (fault) => {
    const { ends, clock, client, files } = scene((count) => (count < 10 ? fault : 204));
    await until(() => files().includes(".result"), clock.settle);
    await until(
      () => ends.length > 0,
      () => clock.advance(5000),
    );
    expect([ends, client.requests.length, files()]).toEqual([["stored"], 10, []]);
  },
);

test("never given up while the process lives", async () => {
  const { ends, clock, client } = scene(() => "unreachable");
  await until(
    () => client.requests.length > 150,
    () => clock.advance(30_000),
  );
  expect(ends).toEqual([]);
  expect(clock.now() / client.requests.length).toBeGreaterThan(14_000);
});

test.each<Scripted>([400, 401, 404, 302])("%j: five tries, then it stays on disk for people", async (refusal) => {
  const { ends, clock, client, files } = scene(() => refusal);
  await until(
    () => ends.length > 0,
    () => clock.advance(10_000),
  );
  expect([ends, client.requests.length, files()]).toEqual([["refused"], 5, [".result.refused"]]);
});

test("a result that Node cannot send is set aside at once, and the next one is sent", async () => {
  const paths: (string | undefined)[] = [];
  const server = createServer((incoming, answer) => {
    paths.push(incoming.url);
    answer.writeHead(204).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = createSidecarClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const folder = temporaryFolder();
  const spool = openSpool(folder);
  await spool.save({ ...request, contentType: 'application/pdf; name="Q3 \u2013"' });
  await spool.save({ ...request, id: "b" });
  const delivery = createDelivery(
    { platformBaseUrl: "http://127.0.0.1", flags: { testWithoutSidecar: false }, spoolDir: folder },
    { client, clock: virtualClock() },
  );
  await delivery.redeliver();
  expect(paths).toEqual(["/results/b"]);
  expect(readdirSync(folder).map((name) => name.replace(/^[\d-]+/, ""))).toEqual([".result.refused"]);
  await delivery.close();
  server.close();
});

test("413: an error result goes in its place", async () => {
  const { ends, clock, client } = scene((count) => (count === 1 ? 413 : 204));
  await clock.settle();
  expect(ends).toEqual(["stored"]);
  const { headers, body } = client.requests[1] ?? {};
  expect([headers?.["Is-Error"], JSON.parse(String(body))]).toEqual([
    "true",
    {
      $schema: "urn:platform:schema.service.error.1",
      error: "The sidecar refused the result: 2 bytes are too many. Store a large result as an artifact.",
      type: "invalid-result",
    },
  ]);
});

test("a spool that is a file: a sentence names the variable, now and then, and the result is delivered", async () => {
  const lines: string[] = [];
  loggingInit({ write: (line) => lines.push(line) });
  const folder = join(temporaryFolder({ spool: "" }), "spool");
  const clock = virtualClock();
  const client = fakeClient((_, count) => (count <= 9 ? 500 : 204));
  const { signal } = new AbortController();
  const ends: PushEnd[] = [];
  void pushResult(request, { client, clock, spool: openSpool(folder), signal }).then((end) => ends.push(end));
  await until(
    () => ends.length > 0,
    () => clock.advance(5000),
  );
  await expect.poll(() => lines.some((line) => line.includes("result delivered"))).toBe(true);
  loggingInit({ write() {} });
  const said = lines.filter((line) => line.includes("the result cannot be put on disk"));
  expect(said.length).toBe(2);
  expect(said[0]).toContain(`PLATFORM_SPOOL_DIR, ${folder}, cannot be written: a part of its path is not a directory`);
  expect(said[0]).not.toContain("stack");
  expect(ends).toEqual(["stored"]);
});

test("a process that ends leaves it on disk, in the middle of a call or of a pause", async () => {
  for (const fault of ["never", "unreachable"] as const) {
    const { ends, stop, clock, files } = scene(() => fault);
    await clock.settle();
    stop.abort();
    await until(() => ends.length > 0, clock.settle);
    expect([ends, files()]).toEqual([["left"], [".result"]]);
  }
});
