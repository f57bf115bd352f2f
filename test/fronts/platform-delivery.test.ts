import { expect, onTestFinished, test } from "vitest";
import type { JobContext } from "../../runtime/executor/run/job-context.ts";
import { BinaryResult } from "../../runtime/job/binary-result.ts";
import { loggingInit } from "../../runtime/telemetry/log/logging.ts";
import { fakeSidecar, type FakeSidecar } from "../support/fake-sidecar.ts";
import { deferred, fakeTool } from "../support/fake-tool.ts";
import { serve, type TestServer } from "../support/serve.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

loggingInit({ write() {} });

interface Scene {
  readonly fake: FakeSidecar;
  readonly server: TestServer;
  readonly open: PromiseWithResolvers<void>;
}

/** A service on the platform whose tool reports a step, waits when it is told to, and gives what it is asked for. */
async function scene(flags: readonly string[] = ["--with-mcp"]): Promise<Scene> {
  const fake = await fakeSidecar();
  const open = deferred();
  const tool = fakeTool(
    async ({ text }: { text?: string }, job: JobContext) => {
      job.report.step("working", () => {});
      if (text === "wait") await open.promise;
      async function* chunks(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("one ");
        yield Buffer.from("two");
      }
      return new BinaryResult("text/x-parts", chunks());
    },
    { resultKind: "binary" },
  );
  const server = await serve([tool], {}, { PLATFORM_BASE_URL: fake.url, PLATFORM_SPOOL_DIR: temporaryFolder() }, flags);
  onTestFinished(async () => {
    open.resolve();
    await server.stop();
    await fake.close();
  });
  return { fake, server, open };
}

const token = { authorization: "Bearer of the job", "job-id": "urn:platform:job:a" };

test("REST, answered at once: events go to the sidecar with the job's token, the result to the caller only", async () => {
  const { fake, server } = await scene();
  fake.fail("event", "slow", 2);
  expect(await (await server.post("/tool", { text: "now" }, token)).text()).toBe("one two");
  // The platform takes the answer for the end of the job, and no events behind it.
  expect(fake.taken("event").map(({ status }) => status)).toEqual([204, 204]);
  await server.stop();
  expect(
    fake.exchanges.map(({ phase, id, headers }) => [phase, id, headers.authorization, headers["job-attempt"]]),
  ).toEqual([
    ["event", "urn:platform:job:a", "Bearer of the job", undefined],
    ["event", "urn:platform:job:a", "Bearer of the job", undefined],
  ]);
});

test("REST, deferred: the result goes to the sidecar as well, after the events, once for all who wait", async () => {
  const { fake, server, open } = await scene();
  for (let n = 0; n < 3; n++) {
    const answer = await server.post("/tool", { text: "wait" }, { ...token, prefer: "respond-async" });
    expect([answer.status, answer.headers.get("platform-self-report-result")]).toEqual([202, "true"]);
  }
  open.resolve();
  await fake.until(() => fake.taken("result").length > 0);
  expect(await (await server.get("/jobs/a")).text()).toBe("one two");
  await server.stop();
  expect(fake.exchanges.map(({ phase }) => phase)).toEqual(["event", "event", "result"]);
  expect(
    fake
      .taken("result")
      .map(({ headers, body }) => [headers["is-error"], headers["content-type"], headers.authorization, body]),
  ).toEqual([["false", "text/x-parts", "Bearer of the job", "one two"]]);
});

test("REST, asked for by its id: its events are with the sidecar before the answer", async () => {
  const { fake, server, open } = await scene();
  fake.fail("event", "slow", 2);
  await server.post("/tool", { text: "wait" }, { ...token, prefer: "respond-async" });
  open.resolve();
  expect(await (await server.get("/jobs/a", { prefer: "wait=10" })).text()).toBe("one two");
  expect(fake.taken("event").map(({ status }) => status)).toEqual([204, 204]);
});

test("MCP: every result goes to the sidecar, and the client has its own", async () => {
  const { fake, server } = await scene();
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo", arguments: { text: "x" } } };
  const answer = await server.post("/mcp", message, { ...token, accept: "application/json, text/event-stream" });
  expect(await answer.text()).toContain("one two");
  await fake.until(() => fake.taken("result").length === 1);
  expect(fake.taken("result")[0]?.body).toBe("one two");
  expect(fake.taken("result")[0]?.headers.authorization).toBe("Bearer of the job");
});

test("--test-without-sidecar: no HTTP at all", async () => {
  const { fake, server } = await scene(["--with-mcp", "--test-without-sidecar"]);
  await server.post("/tool", { text: "now" }, { ...token, prefer: "respond-async" });
  await server.post("/tool", { text: "now" });
  await server.stop();
  expect(fake.exchanges).toEqual([]);
});

test("neither a caller nor a stop waits until a sidecar that is down is back", async () => {
  const { fake, server } = await scene();
  await fake.pause();
  // It stays down: whoever waited for it would wait for ever. The times are tested with a clock: sidecar-sink.test.ts.
  expect((await server.post("/tool", { text: "now" }, token)).status).toBe(200);
  await server.stop();
  await fake.resume();
});
