import { expect, test } from "vitest";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { Service } from "../../../runtime/service/service.ts";
import { deferred, fakeTool } from "../../support/fake-tool.ts";
import { json, serve } from "../../support/serve.ts";

test("a reload serves other tools on the same port; calls of the old ones end in peace", async () => {
  const gate = deferred();
  const server = await serve([fakeTool(() => gate.promise.then(() => "old"), { name: "old" })]);
  const running = server.post("/tool", {});
  await expect.poll(async () => (await json(await server.get("/tool"))).name).toBe("old");
  await server.reload({
    service: new Service({ name: "Next" }),
    version: "2",
    tools: [fakeTool(() => "new", { name: "new" })],
  });
  expect(await (await server.post("/tool", {})).json()).toBe("new");
  expect((await json(await server.get("/tool"))).name).toBe("new");
  expect((await json(await server.get("/openapi.json"))).info.title).toBe("Next");
  gate.resolve();
  expect(await (await running).json()).toBe("old");
  await server.stop();
});

test("a job that runs during a reload is found by its id, and its result", async () => {
  const gate = deferred();
  const server = await serve(
    [fakeTool(() => gate.promise.then(() => "old"), { name: "slow" })],
    {},
    {
      PLATFORM_SHUTDOWN_GRACE: "0",
    },
  );
  const location = (await server.post("/tool", {}, { prefer: "respond-async" })).headers.get("location") ?? "";
  await server.reload({
    service: new Service({ name: "Next" }),
    version: "2",
    tools: [fakeTool(() => "new", { name: "slow" })],
  });
  expect((await server.get(location)).status).toBe(202);
  gate.resolve();
  await expect.poll(async () => (await server.get(location)).status).toBe(200);
  expect(await (await server.get(location)).json()).toBe("old");
  await server.stop();
});

test("a job whose tool is gone after reloads is found, followed and cancelled by its id", async () => {
  const gates = [deferred(), deferred()];
  const old = gates.map((gate, index) =>
    fakeTool(() => gate.promise.then(() => `end ${index}`), { name: `old${index}`, path: `/tool/old${index}` }),
  );
  const server = await serve(old, {}, { PLATFORM_SHUTDOWN_GRACE: "0" });
  const submit = async (path: string): Promise<string> =>
    (await server.post(path, {}, { prefer: "respond-async" })).headers.get("location") ?? "";
  const [ending, cancelled] = [await submit("/tool/old0"), await submit("/tool/old1")];
  for (const name of ["next", "after"])
    await server.reload({
      service: new Service({ name: "Next" }),
      version: "2",
      tools: [fakeTool(() => "new", { name })],
    });
  expect((await server.get(ending)).status).toBe(202);
  expect((await fetch(`${server.url}${cancelled}`, { method: "DELETE" })).status).toBe(202);
  await expect.poll(async () => (await server.get(cancelled)).status).toBe(409);
  const waiting = server.get(ending, { prefer: "wait=10" });
  gates[0]?.resolve();
  expect(await (await waiting).json()).toBe("end 0");
  expect((await server.post("/tool/old0", {})).status).toBe(404);
  await server.stop();
});

test("deferredStatus 204: the same headers and no body", async () => {
  const server = await serve(
    [fakeTool(() => new Promise(() => {}))],
    { deferredStatus: 204 },
    { PLATFORM_SHUTDOWN_GRACE: "0" },
  );
  const response = await server.post("/tool", {}, { prefer: "respond-async" });
  const location = response.headers.get("location") ?? "";
  for (const answer of [response, await server.get(location)]) {
    expect([
      answer.status,
      answer.headers.get("location"),
      answer.headers.get("retry-later"),
      await answer.text(),
    ]).toEqual([204, location, "3", ""]);
  }
  await server.stop();
});

test("Authorization becomes jobAuthorization on the platform only", async () => {
  const tool = fakeTool((_: unknown, job: JobContext) => job.jobAuthorization ?? null);
  const ask = async (env: Record<string, string>): Promise<unknown> => {
    const server = await serve([tool], {}, env);
    const answer = await (await server.post("/tool", {}, { authorization: "Bearer canary" })).json();
    await server.stop();
    return answer;
  };
  expect(await ask({})).toBe(null);
  expect(await ask({ PLATFORM_BASE_URL: "http://127.0.0.1:9" })).toBe("Bearer canary");
});

test("a full queue: 503 with Retry-After", async () => {
  const gate = deferred();
  const tool = fakeTool(() => gate.promise, {
    resultKind: "none",
    options: { executorOpts: { maxWorkers: 1, queueSize: 1 } },
  });
  const server = await serve([tool]);
  const calls = [
    server.post("/tool", {}, { prefer: "respond-async" }),
    server.post("/tool", {}, { prefer: "respond-async" }),
  ];
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([202, 202]);
  const refused = await server.post("/tool", {});
  expect([refused.status, refused.headers.get("retry-after"), (await json(refused)).type]).toEqual([
    503,
    "3",
    "urn:platform:problem:overloaded",
  ]);
  gate.resolve();
  await server.stop();
});
