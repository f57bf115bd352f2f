import { afterEach, describe, expect, test } from "vitest";
import { deferred, fakeTool } from "../../support/fake-tool.ts";
import { json, serve, type TestServer } from "../../support/serve.ts";
import { sqlitePlace } from "../../unit/runtime/executor/store/sqlite-place.ts";

const none = { waiting: 0, running: 0, "oldest-waiting-seconds": 0, dead: 0 };
/** Any time but zero. */
const some = expect.toSatisfy((seconds: unknown) => typeof seconds === "number" && seconds > 0 && seconds < 60);

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

async function started(env: Record<string, string> = {}): Promise<{ server: TestServer; open: () => void }> {
  const gate = deferred();
  const options = { executorOpts: { maxWorkers: 1 }, maxWaitTime: 0 };
  const slow = fakeTool(() => gate.promise, { name: "slow", path: "/tool/slow", resultKind: "none", options });
  const quick = fakeTool(() => 1, { name: "quick", path: "/tool/quick" });
  const server = await serve([slow, quick], {}, env);
  ended.push(async () => {
    gate.resolve();
    await server.stop();
  });
  return { server, open: gate.resolve };
}

describe.each(["memory:", "sqlite"])("GET /queue of a store %s", (kind) => {
  test("what runs and what waits, by tool, whoever waits for it", async () => {
    const place = sqlitePlace();
    ended.push(async () => place.remove());
    const { server, open } = await started(kind === "sqlite" ? { TENON_STORE: `sqlite:${place.file}` } : {});
    const idle = await server.get("/queue");
    expect([idle.status, idle.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await json(idle)).toEqual({
      ...none,
      services: { "test-service": { ...none, tools: { slow: none, quick: none } } },
    });
    await server.post("/tool/quick", {});
    // The first is kept and runs, the second is kept and waits for its place, the third is waited for, and in no store.
    const first = await server.post("/tool/slow", {});
    expect(first.status).toBe(202);
    expect((await server.post("/tool/slow", {})).status).toBe(202);
    const third = server.post("/tool/slow", {}, { prefer: "wait=30" });
    await expect
      .poll(async () => json(await server.get("/queue")), { interval: 10 })
      .toMatchObject({ waiting: 2, running: 1 });
    const busy = { ...none, waiting: 2, running: 1, "oldest-waiting-seconds": some };
    expect(await json(await server.get("/queue"))).toEqual({
      ...busy,
      services: { "test-service": { ...busy, tools: { slow: busy, quick: none } } },
    });
    open();
    expect((await third).status).toBe(200);
    expect(await json(await server.get("/queue"))).toMatchObject(none);
  });
});

test("GET /queue is read by GET alone", async () => {
  const { server } = await started();
  const wrong = await server.post("/queue", {});
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});
