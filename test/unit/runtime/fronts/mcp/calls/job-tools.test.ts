import { callTool } from "../../../../../../runtime/fronts/mcp/port/call-tool.ts";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../../../../runtime/contract/contract.ts";
import { createExecutor } from "../../../../../../runtime/executor/job-executor.ts";
import type { Executor } from "../../../../../../runtime/executor/executor.ts";
import type { JobContext } from "../../../../../../runtime/executor/run/job-context.ts";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import type { McpToolResult } from "../../../../../../runtime/fronts/mcp/port/answers.ts";
import type { McpCallContext, McpPort } from "../../../../../../runtime/fronts/mcp/port/port.ts";
import { createToolPort } from "../../../../../../runtime/fronts/mcp/calls/tool-port.ts";
import { loadKept } from "../../../../../../runtime/executor/kept/load-kept.ts";
import { step, wait } from "../../../../../support/durable-calls.ts";
import { deferred, fakeTool } from "../../../../../support/fake-tool.ts";

const context = (more: Partial<McpCallContext> = {}): McpCallContext => ({
  signal: new AbortController().signal,
  capabilities: {},
  ...more,
});

function serve(
  jobTools: boolean,
  definition: { readonly waits?: readonly { readonly name: string }[]; readonly durable?: true } = {},
  work?: (job: JobContext) => Promise<unknown>,
): { port: McpPort; gate: PromiseWithResolvers<string> } {
  const gate = deferred<string>();
  const tool = fakeTool(
    (_: unknown, job: JobContext) => {
      if (work !== undefined) return work(job);
      job.report.stepStarted("load", { message: "Loading" });
      return gate.promise;
    },
    {
      name: "slow",
      request: null,
      resultKind: "text",
      options: { maxWaitTime: 0 },
      definition: {
        mcp: { inputSchema: { type: "object" }, outputSchema: { type: "object" }, wrapped: true },
        ...definition,
      },
    },
  );
  const executor = createExecutor({ tools: [tool], store: createMemoryStore() });
  const start: Executor["start"] = (submission) => executor.start(submission);
  const info = { name: "t", version: "1" };
  return { port: createToolPort({ info, tools: [tool], start, jobs: executor, jobTools }), gate };
}

async function call(
  port: McpPort,
  name: string,
  args: JsonObject,
  more?: Partial<McpCallContext>,
): Promise<McpToolResult> {
  return (await callTool(port, name, args, context(more))) as McpToolResult;
}

test("a long call is answered with a job id, and the tools follow it", async () => {
  const { port, gate } = serve(true);
  expect(port.listTools().tools.map(({ name }) => name)).toEqual(["slow", "job_status", "job_result", "job_cancel"]);
  const others = serve(true, { waits: [{ name: "approval" }] }).port.listTools().tools;
  expect(others.map(({ name }) => name)).toContain("job_send");
  expect(port.listTools().tools[0]).not.toHaveProperty("outputSchema");
  const { structuredContent, content } = await call(port, "slow", {});
  const { jobId } = structuredContent as { jobId: string };
  expect(content).toEqual([
    {
      type: "text",
      text: `The job ${jobId} is still running (Loading). Call \`job_result\` with this \`jobId\` for its result, \`job_status\` for its state, or \`job_cancel\` to end it.`,
    },
  ]);
  const running = { jobId, status: "executing" };
  expect((await call(port, "job_status", { jobId })).structuredContent).toEqual({ ...running, message: "Loading" });
  expect((await call(port, "job_result", { jobId, wait: 0 })).structuredContent).toEqual(running);
  gate.resolve("done");
  expect(await call(port, "job_result", { jobId })).toMatchObject({
    content: [{ text: "done" }],
    structuredContent: { result: "done" },
  });
  expect((await call(port, "job_status", { jobId })).structuredContent).toMatchObject({ status: "succeeded" });
});

test("a parked job tells what it waits for, and not its last progress", async () => {
  await loadKept();
  const { port } = serve(true, { durable: true, waits: [{ name: "approval" }] }, async (job) => {
    await step(job, "load", () => "loaded");
    return wait(job, "approval", {});
  });
  const { jobId } = (await call(port, "slow", {})).structuredContent as { jobId: string };
  const message = "Waits for the message approval.";
  await expect
    .poll(async () => (await call(port, "job_status", { jobId })).structuredContent)
    .toEqual({ jobId, status: "pending", message });
  expect(await call(port, "job_result", { jobId, wait: 0 })).toMatchObject({
    content: [{ text: expect.stringContaining(`The job ${jobId} has not ended. ${message} Call `) as string }],
  });
  await call(port, "job_send", { jobId, name: "approval", message: "yes" });
  expect(await call(port, "job_result", { jobId })).toMatchObject({ content: [{ text: "yes" }] });
});

test("a job can be ended, and belongs to its caller", async () => {
  const { port } = serve(true);
  const { structuredContent } = await call(port, "slow", {}, { owner: "ann" });
  const { jobId } = structuredContent as { jobId: string };
  for (const name of ["job_status", "job_result", "job_cancel"]) {
    const unknown = { isError: true, content: [{ text: "The job does not exist, or has expired." }] };
    expect(await call(port, name, { jobId }, { owner: "bob" })).toMatchObject(unknown);
    expect(await call(port, name, { jobId: "../x" }, { owner: "ann" })).toMatchObject(unknown);
    expect(await call(port, name, {}, { owner: "ann" })).toMatchObject(unknown);
  }
  expect((await call(port, "job_cancel", { jobId }, { owner: "ann" })).structuredContent).toMatchObject({
    status: "cancelled",
  });
  expect(await call(port, "job_result", { jobId }, { owner: "ann" })).toMatchObject({
    isError: true,
    content: [{ text: "The caller cancelled the job." }],
  });
});

test("without being asked for, they are not there, and the call waits", async () => {
  const { port, gate } = serve(false);
  expect(port.listTools().tools.map(({ name }) => name)).toEqual(["slow"]);
  await expect(callTool(port, "job_status", {}, context())).rejects.toMatchObject({ code: -32602 });
  const answer = call(port, "slow", {});
  gate.resolve("done");
  expect(await answer).toMatchObject({ content: [{ text: "done" }] });
});
