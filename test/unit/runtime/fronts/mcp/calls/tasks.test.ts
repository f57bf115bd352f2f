import { callTool } from "../../../../../../runtime/fronts/mcp/port/call-tool.ts";
import { describe, expect, test } from "vitest";
import { ValueError } from "../../../../../../runtime/base/errors.ts";
import { createExecutor } from "../../../../../../runtime/executor/job-executor.ts";
import type { Executor } from "../../../../../../runtime/executor/executor.ts";
import type { JobContext } from "../../../../../../runtime/executor/run/job-context.ts";
import { loadKept } from "../../../../../../runtime/executor/kept/load-kept.ts";
import { newJobUrn } from "../../../../../../runtime/job/job-id.ts";
import type { JobUrn } from "../../../../../../runtime/job/job.ts";
import type { JobStore } from "../../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import type { McpInputRequired, McpTask, McpToolAnswer } from "../../../../../../runtime/fronts/mcp/port/answers.ts";
import type { McpCallContext, McpPort, McpTasks } from "../../../../../../runtime/fronts/mcp/port/port.ts";
import { createToolPort } from "../../../../../../runtime/fronts/mcp/calls/tool-port.ts";
import type { Tool } from "../../../../../../runtime/service/tools/tool.ts";
import { step, wait } from "../../../../../support/durable-calls.ts";
import { deferred, fakeTool } from "../../../../../support/fake-tool.ts";

const capabilities = { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } };

function serve(
  tool: Tool,
  store = createMemoryStore(),
): { port: McpPort; tasks: McpTasks; executor: Executor; store: JobStore } {
  const executor = createExecutor({ tools: [tool], store });
  const start: Executor["start"] = (submission) => executor.start(submission);
  const port = createToolPort({ info: { name: "t", version: "1" }, tools: [tool], start, jobs: executor });
  if (port.tasks === undefined) throw new Error("no tasks");
  return { port, tasks: port.tasks, executor, store };
}

function context(more: Partial<McpCallContext> = {}): McpCallContext {
  return { signal: new AbortController().signal, capabilities, ...more };
}

function taskOf(answer: McpToolAnswer): McpTask {
  if (!("taskId" in answer)) throw new Error(`no task: ${JSON.stringify(answer)}`);
  return answer;
}

/** A tool that ends when the test says so. */
function waiting(task?: "required" | "optional" | "never"): { tool: Tool; gate: PromiseWithResolvers<string> } {
  const gate = deferred<string>();
  const tool = fakeTool(
    (_: unknown, job: JobContext) => {
      job.report.stepStarted("load", { message: "Loading" });
      return Promise.race([
        gate.promise,
        new Promise<string>((_resolve, reject) =>
          job.signal.addEventListener("abort", () => reject(job.signal.reason as Error)),
        ),
      ]);
    },
    {
      name: "slow",
      request: null,
      resultKind: "text",
      options: { maxWaitTime: 0, refreshInterval: 0.25, executorOpts: { jobCacheTtl: 60 } },
      definition: { mcp: { inputSchema: { type: "object" }, ...(task !== undefined && { task }) } },
    },
  );
  return { tool, gate };
}

test("a call that outlasts its wait is a task, with the id, the store and the result of a job", async () => {
  const { tool, gate } = waiting();
  const { port, tasks, executor } = serve(tool);
  const task = taskOf(await callTool(port, "slow", {}, context()));
  expect(task).toEqual({
    taskId: expect.stringMatching(/^urn:platform:job:/) as string,
    status: "working",
    statusMessage: "Loading",
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    lastUpdatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    ttlMs: 60_000,
    pollIntervalMs: 250,
  });
  expect((await executor.find(task.taskId))?.state).toBe("executing");
  expect(await tasks.get(task.taskId, context())).toMatchObject({ taskId: task.taskId, status: "working" });
  gate.resolve("done");
  await (
    await executor.find(task.taskId)
  )?.done;
  const end = await tasks.get(task.taskId, context());
  expect(end).toMatchObject({ status: "completed", result: { content: [{ type: "text", text: "done" }] } });
  expect(end).not.toHaveProperty("statusMessage");
  expect(await tasks.get(task.taskId, context())).toEqual(end);
});

test("a parked task says what it waits for, and not its last progress", async () => {
  await loadKept();
  const tool = fakeTool(
    async (_: unknown, job: JobContext) => {
      await step(job, "load", () => "loaded");
      return wait(job, "approval", {});
    },
    {
      request: null,
      resultKind: "text",
      options: { maxWaitTime: 0 },
      definition: { durable: true, waits: [{ name: "approval" }], mcp: { inputSchema: { type: "object" } } },
    },
  );
  const { port, tasks } = serve(tool);
  const { taskId } = taskOf(await callTool(port, tool.name, {}, context()));
  await expect
    .poll(() => tasks.get(taskId, context()))
    .toMatchObject({ status: "working", statusMessage: "Waits for the message approval." });
});

describe("what a call becomes", () => {
  test.each(["optional", "required"] as const)("@task %s: a task, unless it is done at once", async (mode) => {
    expect(await callTool(serve(waiting(mode).tool).port, "slow", {}, context())).toHaveProperty("taskId");
    const quick = waiting(mode);
    quick.gate.resolve("quick");
    expect(await callTool(serve(quick.tool).port, "slow", {}, context())).toHaveProperty("content");
  });

  test("@task never, and a client without tasks: the call waits", async () => {
    for (const [mode, more] of [
      ["never", {}],
      [undefined, { capabilities: {} }],
      ["optional", { capabilities: {} }],
    ] as const) {
      const { tool, gate } = waiting(mode);
      const { port, executor } = serve(tool);
      const call = callTool(port, "slow", {}, context(more));
      setTimeout(() => gate.resolve("waited"), 50);
      expect(await call).toMatchObject({ content: [{ text: "waited" }] });
      expect(executor.draining).toBe(false);
    }
  });

  test("@task required and a client without tasks: a fault that names the extension", async () => {
    await expect(
      callTool(serve(waiting("required").tool).port, "slow", {}, context({ capabilities: {} })),
    ).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
    });
  });
});

describe("how a task ends", () => {
  async function endedWith(error: unknown): Promise<unknown> {
    const { tool, gate } = waiting();
    const { port, tasks, executor } = serve(tool);
    const { taskId } = taskOf(await callTool(port, "slow", {}, context()));
    gate.reject(error);
    await (
      await executor.find(taskId)
    )?.done;
    return tasks.get(taskId, context());
  }

  test("a mistake of the caller is a result that the model can read", async () => {
    expect(await endedWith(new ValueError("Not like this."))).toMatchObject({
      status: "completed",
      result: { isError: true, content: [{ text: "Not like this." }] },
    });
  });

  test("a broken tool is a failed task, and nobody learns why", async () => {
    const end = await endedWith(new Error("secret-canary"));
    expect(end).toMatchObject({
      status: "failed",
      error: { code: -32603, message: "The tool failed. The service's log has the reason." },
    });
    expect(end).not.toHaveProperty("result");
    expect(JSON.stringify(end)).not.toContain("secret-canary");
  });

  test("cancelling aborts the job; again, it changes nothing", async () => {
    const { tool } = waiting();
    const { port, tasks } = serve(tool);
    const { taskId } = taskOf(await callTool(port, "slow", {}, context()));
    await tasks.cancel(taskId, context());
    await tasks.cancel(taskId, context());
    expect(await tasks.get(taskId, context())).toMatchObject({
      status: "cancelled",
      statusMessage: "The client cancelled the task.",
    });
  });
});

describe("a question of a task", () => {
  const form = {
    schema: { type: "object", properties: { answer: { type: "boolean" } }, required: ["answer"] },
    single: true,
  } as const;

  test("is shown by the task, and answered by an update", async () => {
    const gate = deferred();
    const tool = fakeTool(
      async (_: unknown, job: JobContext) => {
        await gate.promise;
        const answers = await Promise.all([job.ask("A?", { key: "a" }, form), job.ask("B?", { key: "b" }, form)]);
        return answers.join();
      },
      { name: "slow", request: null, resultKind: "text", options: { maxWaitTime: 0, executorOpts: { maxWorkers: 1 } } },
    );
    const { port, tasks, executor } = serve(tool);
    const { taskId } = taskOf(await callTool(port, "slow", {}, context()));
    gate.resolve();
    const asked = async (): Promise<string[] | undefined> => {
      const { status, inputRequests } = await tasks.get(taskId, context());
      return status === "input_required" ? Object.keys(inputRequests ?? {}) : undefined;
    };
    await expect.poll(asked).toEqual(["a", "b"]);
    await tasks.update(taskId, { a: { action: "accept", content: { answer: true } }, c: 1 }, context());
    expect(await asked()).toEqual(["b"]);
    await tasks.update(taskId, { b: { action: "accept", content: { answer: "x" } } }, context());
    expect(await asked()).toEqual(["b"]);
    await tasks.update(taskId, { b: { action: "accept", content: { answer: false } } }, context());
    await (
      await executor.find(taskId)
    )?.done;
    expect(await tasks.get(taskId, context())).toMatchObject({
      status: "completed",
      result: { content: [{ text: "true,false" }] },
    });
  });
});

describe("a question of a task that another process runs", () => {
  const form = {
    schema: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
    single: true,
  } as const;
  const accept = (answer: string): object => ({ action: "accept", content: { answer } });

  /** Two processes with one store; the first runs a task that asks when the gate is open. */
  async function asked(owner: string, message = "Who?"): Promise<{ here: McpTasks; there: McpTasks; taskId: JobUrn }> {
    const gate = deferred();
    const tool = fakeTool(
      async (_: unknown, job: JobContext) => {
        await gate.promise;
        return job.ask(message, { key: "who" }, form);
      },
      { name: "slow", request: null, resultKind: "text", options: { maxWaitTime: 0 } },
    );
    const one = serve(tool);
    const other = serve(tool, one.store as ReturnType<typeof createMemoryStore>);
    const { taskId } = taskOf(await callTool(one.port, "slow", {}, context({ owner })));
    gate.resolve();
    return { here: one.tasks, there: other.tasks, taskId };
  }

  test("is answered by its owner alone", async () => {
    const { here, there, taskId } = await asked("ann");
    const ann = context({ owner: "ann" });
    await expect.poll(async () => (await there.get(taskId, ann)).status).toBe("input_required");
    for (const stranger of [context({ owner: "bob" }), context()]) {
      await expect(there.get(taskId, stranger)).rejects.toMatchObject({ code: -32602 });
      await expect(there.update(taskId, { who: accept("bob") }, stranger)).rejects.toMatchObject({ code: -32602 });
    }
    await there.update(taskId, { who: accept("ann") }, ann);
    await expect.poll(async () => (await here.get(taskId, ann)).status).toBe("completed");
    expect(await there.get(taskId, ann)).toMatchObject({ result: { content: [{ text: "ann" }] } });
    // The task is over: a late answer is taken, and changes nothing.
    await there.update(taskId, { who: accept("late") }, ann);
    expect(await there.get(taskId, ann)).toMatchObject({ result: { content: [{ text: "ann" }] } });
  });

  test("takes no answers without end: too much is refused in words, and a usable one is still taken", async () => {
    const { here, there, taskId } = await asked("ann");
    const ann = context({ owner: "ann" });
    await expect.poll(async () => (await there.get(taskId, ann)).status).toBe("input_required");
    await expect(there.update(taskId, { who: accept("x".repeat(1_100_000)) }, ann)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("have at most 1048576 bytes") as string,
    });
    await there.update(taskId, { who: accept("short") }, ann);
    await expect.poll(async () => (await here.get(taskId, ann)).status).toBe("completed");
  });

  test("that is larger than the store takes ends the task in words", async () => {
    const { here, taskId } = await asked("ann", "y".repeat(1_100_000));
    const ann = context({ owner: "ann" });
    await expect.poll(async () => (await here.get(taskId, ann)).status).not.toBe("working");
    expect(JSON.stringify(await here.get(taskId, ann))).toContain("have at most 1048576 together");
  });
});

test("a call that is stored from its start, as under tenon dev, still asks its client in the answer", async () => {
  const form = { schema: { type: "object", properties: { answer: { type: "boolean" } } }, single: true } as const;
  const tool = fakeTool(async (_: unknown, job: JobContext) => String(await job.ask("Sure?", { key: "sure" }, form)), {
    name: "slow",
    request: null,
    resultKind: "text",
  });
  const executor = createExecutor({ tools: [tool], store: createMemoryStore() });
  const start: Executor["start"] = (submission) => executor.start({ ...submission, id: newJobUrn() });
  const port = createToolPort({ info: { name: "t", version: "1" }, tools: [tool], start, jobs: executor });
  await loadKept();
  const first = await callTool(port, "slow", {}, context());
  expect(first).toMatchObject({ inputRequests: { sure: { method: "elicitation/create" } } });
  const { requestState } = first as McpInputRequired;
  const inputResponses = { sure: { action: "accept", content: { answer: true } } };
  expect(await callTool(port, "slow", {}, context({ inputResponses, requestState }))).toMatchObject({
    content: [{ text: "true" }],
  });
});

describe("who may see a task", () => {
  test("a foreign task and an unknown one look the same", async () => {
    const { port, tasks } = serve(waiting().tool);
    const { taskId } = taskOf(await callTool(port, "slow", {}, context({ owner: "ann" })));
    const errors: unknown[] = [];
    const unknown: JobUrn = "urn:platform:job:00000000-0000-7000-8000-000000000000";
    for (const id of [taskId, unknown, "../etc/passwd"]) {
      for (const call of [
        tasks.get(id, context({ owner: "bob" })),
        tasks.cancel(id, context()),
        tasks.update(id, {}, context()),
      ])
        errors.push(await call.catch(({ code, message }: { code: number; message: string }) => `${code} ${message}`));
    }
    expect(new Set(errors)).toEqual(new Set(["-32602 The task does not exist, or has expired."]));
    expect(await tasks.get(taskId, context({ owner: "ann" }))).toMatchObject({ status: "working" });
  });

  test("a client without the extension has no tasks", async () => {
    const { tasks } = serve(waiting().tool);
    const none = context({ capabilities: { elicitation: {} } });
    for (const call of [tasks.get("x", none), tasks.update("x", {}, none), tasks.cancel("x", none)])
      await expect(call).rejects.toMatchObject({ code: -32021 });
  });
});
