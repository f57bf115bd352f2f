import type { JsonObject } from "../../../../../../runtime/contract/contract.ts";
import { callTool } from "../../../../../../runtime/fronts/mcp/port/call-tool.ts";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../../../runtime/base/errors.ts";
import { createExecutor } from "../../../../../../runtime/executor/job-executor.ts";
import type { Submission } from "../../../../../../runtime/job/job.ts";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import { Conversation } from "../../../../../../runtime/job/conversation.ts";
import { isToolResult, type McpToolResult } from "../../../../../../runtime/fronts/mcp/port/answers.ts";
import type { McpCallContext, McpPort, McpProgress } from "../../../../../../runtime/fronts/mcp/port/port.ts";
import { createToolPort, type ToolPortOptions } from "../../../../../../runtime/fronts/mcp/calls/tool-port.ts";
import { fakeTool } from "../../../../../support/fake-tool.ts";

const info = { name: "Test tools", version: "1.2.3" };
const echo = fakeTool(({ text }: { text?: string }) => ({ text }), { name: "echo" });

function portOf(options: Partial<ToolPortOptions> = {}): { port: McpPort; submissions: Submission[] } {
  const tools = options.tools ?? [echo];
  const executor = createExecutor({ tools, store: createMemoryStore() });
  const submissions: Submission[] = [];
  const port = createToolPort({
    info,
    tools,
    start(submission) {
      submissions.push(submission);
      return executor.start(submission);
    },
    ...options,
  });
  return { port, submissions };
}

function context(more: Partial<McpCallContext> = {}): McpCallContext {
  return { signal: new AbortController().signal, ...more };
}

async function resultOf(
  port: McpPort,
  ...call: [name: string, args: JsonObject, context: McpCallContext]
): Promise<McpToolResult> {
  const answer = await callTool(port, ...call);
  if (!isToolResult(answer)) throw new Error("expected a result");
  return answer;
}

describe("what a job is given", () => {
  const client: unknown = expect.any(Conversation);

  test("arguments, trace and the platform's token, and nothing else", async () => {
    const { port, submissions } = portOf();
    await callTool(
      port,
      "echo",
      { text: "hi" },
      context({ traceparent: "00-a", tracestate: "b=c", authorization: "Bearer p" }),
    );
    expect(submissions).toEqual([
      { tool: echo, input: { text: "hi" }, client, traceparent: "00-a", tracestate: "b=c", authorization: "Bearer p" },
    ]);
  });

  test("without them there is no trace of them", async () => {
    const { port, submissions } = portOf();
    await callTool(port, "echo", {}, context());
    expect(submissions).toEqual([{ tool: echo, input: {}, client }]);
  });
});

describe("what cannot start", () => {
  test.each([
    [new ToolError("overloaded", "The queue is full.", { retryAfter: 2.4 }), "The queue is full.\nTry again in 3 s."],
    [new ToolError("draining", "The service is stopping."), "The service is stopping."],
    [new Error("secret-canary"), "The tool failed. The service's log has the reason."],
  ])("%s", async (thrown, text) => {
    const { port } = portOf({
      start() {
        throw thrown;
      },
    });
    expect(await callTool(port, "echo", {}, context())).toEqual({
      content: [{ type: "text", text }],
      isError: true,
      _meta: { "platform/problem": expect.objectContaining({ detail: text.split("\n")[0] }) },
    });
  });
});

describe("problems", () => {
  test("all are listed, each with its place", async () => {
    const tool = fakeTool(() => ({}), {
      name: "two",
      request: {
        type: "object",
        properties: {
          a: { type: "integer" },
          b: { type: "object", properties: { c: { type: "string" } } },
          missing: { type: "string" },
        },
        required: ["missing"],
      },
    });
    const { port } = portOf({ tools: [tool] });
    const { content } = await resultOf(port, "two", { a: "x", b: { c: 1 } }, context());
    const [first, ...problems] = String((content[0] as { text: string }).text).split("\n");
    expect(first).toBe("The request does not match its schema.");
    expect(problems.map((line) => line.slice(0, line.indexOf(":"))).toSorted()).toEqual([
      "- /a",
      "- /b/c",
      "- /missing",
    ]);
  });
});

describe("progress", () => {
  test("is in order, one at a time, and over when the call is", async () => {
    const tool = fakeTool(
      (_: unknown, job) => {
        for (let step = 1; step <= 5; step++) job.report.stepStarted(`step ${step}`);
        return {};
      },
      { name: "steps" },
    );
    const { port } = portOf({ tools: [tool] });
    const seen: McpProgress[] = [];
    let running = 0;
    await callTool(
      port,
      "steps",
      {},
      context({
        async notifyProgress(progress) {
          running += 1;
          expect(running).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          seen.push(progress);
        },
      }),
    );
    // The event itself travels beside its text.
    const event = (step: number): object => ({ "platform/event": expect.objectContaining({ name: `step ${step}` }) });
    expect(seen).toEqual(
      [1, 2, 3, 4, 5].map((step) => ({ progress: step, message: `step ${step}`, _meta: event(step) })),
    );
  });

  test("of a step that failed does not show why, unless it is the caller's mistake", async () => {
    const tool = fakeTool(
      (_: unknown, job) => {
        const step = job.report.step("load");
        step.error(new Error("secret-canary"));
        step.error("the page is empty");
        return {};
      },
      { name: "failing" },
    );
    const { port } = portOf({ tools: [tool] });
    const seen: McpProgress[] = [];
    await callTool(port, "failing", {}, context({ notifyProgress: async (progress) => void seen.push(progress) }));
    expect(seen.map(({ message }) => message)).toEqual([
      "load",
      "The step failed. The service's log has the reason.",
      "the page is empty",
    ]);
  });
});

describe("cancellation", () => {
  test("before the call begins it is cancelled at once", async () => {
    const tool = fakeTool(() => new Promise(() => {}), { name: "never" });
    const { port } = portOf({ tools: [tool] });
    const answer = await callTool(port, "never", {}, context({ signal: AbortSignal.abort() }));
    expect(answer).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "The client cancelled the call." }],
    });
  });

  test("leaves no listener behind when the call ends by itself", async () => {
    const { port } = portOf();
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = {
      aborted: false,
      addEventListener: (...args: Parameters<AbortSignal["addEventListener"]>) => (
        listeners++,
        signal.addEventListener(...args)
      ),
      removeEventListener: (...args: Parameters<AbortSignal["removeEventListener"]>) => (
        listeners--,
        signal.removeEventListener(...args)
      ),
    } as unknown as AbortSignal;
    await callTool(port, "echo", {}, context({ signal: counted }));
    expect(listeners).toBe(0);
  });
});

test("pages have the size that was asked for", () => {
  const tools = ["a", "b", "c"].map((name) => fakeTool(() => ({}), { name }));
  const { port } = portOf({ tools, pageSize: 2 });
  const first = port.listTools();
  expect(first.tools.map((tool) => tool.name)).toEqual(["a", "b"]);
  expect(port.listTools(first.nextCursor)).toEqual({ tools: [expect.objectContaining({ name: "c" })] });
});
