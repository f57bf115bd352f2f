import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { step, wait } from "../../support/durable-calls.ts";
import { deferred, fakeTool } from "../../support/fake-tool.ts";
import { json, serve } from "../../support/serve.ts";

const schema = { type: "string" } as const;
const waits = [
  { name: "approval", schema },
  { name: "who pays?", schema },
];

test("a message is found by its name as encodeURIComponent writes it; others are told the names that there are", async () => {
  const asking = fakeTool(
    async (_: unknown, job: JobContext) => [await wait(job, "approval", {}), await wait(job, "who pays?", {})],
    { name: "asking", path: "/tool/asking", definition: { durable: true, waits } },
  );
  const gate = deferred();
  const plain = fakeTool(() => gate.promise, { name: "plain", path: "/tool/plain" });
  const server = await serve([asking, plain]);
  onTestFinished(async () => {
    gate.resolve();
    await server.stop();
  });
  const start = async (tool: string): Promise<string> => {
    const answer = await server.post(`/tool/${tool}`, {}, { prefer: "respond-async" });
    return answer.headers.get("location") ?? "";
  };
  const job = await start("asking");
  const send = async (at: string, name: string): Promise<unknown[]> => {
    const answer = await server.post(`${at}/messages/${name}`, '"yes"');
    return [answer.status, ((await json(answer)) as { readonly detail?: string }).detail];
  };
  for (const name of ["aproval", "%61pproval", "who%20pays?"])
    expect(await send(job, name)).toEqual([404, expect.stringContaining("It waits for: approval, who pays?.")]);
  expect(await send(await start("plain"), "approval")).toEqual([
    404,
    'The tool of the job does not wait for a message "approval". It waits for no messages.',
  ]);
  expect(await send(job, "approval/more")).toEqual([404, "There is no such route."]);
  expect([await send(job, "approval"), await send(job, "who%20pays%3F")]).toEqual([
    [202, undefined],
    [202, undefined],
  ]);
  expect(await json(await server.get(job, { prefer: "wait=10" }))).toEqual(["yes", "yes"]);
});

test("steps of a helper that the build does not see have a history, and its failed job runs again", async () => {
  let runs = 0;
  const tool = fakeTool(
    async (_: unknown, job: JobContext) => {
      runs += 1;
      const first = await step(job, "first", () => `made by run ${runs}`);
      if (runs === 1) throw new Error("first run");
      return first;
    },
    { name: "hidden", path: "/tool/hidden" },
  );
  const plain = fakeTool(() => setTimeout(50, "plain"), { name: "plain", path: "/tool/plain" });
  const server = await serve([tool, plain]);
  onTestFinished(() => server.stop());
  const start = async (path: string): Promise<string> => {
    const { headers } = await server.post(path, {}, { prefer: "respond-async" });
    const job = headers.get("location") ?? "";
    await server.get(job, { prefer: "wait=10" });
    return job;
  };
  const job = await start("/tool/hidden");
  expect(await json(await server.get(`${job}/history`))).toMatchObject({ kept: { first: "made by run 1" } });
  const forked = await server.post(`${job}/fork`, {});
  expect(forked.status).toBe(202);
  expect(await json(await server.get(forked.headers.get("location") ?? "", { prefer: "wait=10" }))).toBe(
    "made by run 1",
  );
  const other = await start("/tool/plain");
  expect(await json(await server.get(`${other}/history`))).toMatchObject({ kept: {}, steps: [] });
  expect((await server.post(`${other}/fork`, {})).status).toBe(410);
});
