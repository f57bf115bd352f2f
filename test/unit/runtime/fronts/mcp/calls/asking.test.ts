import { callTool } from "../../../../../../runtime/fronts/mcp/port/call-tool.ts";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../../../../../runtime/contract/contract.ts";
import { createExecutor } from "../../../../../../runtime/executor/job-executor.ts";
import type { Executor } from "../../../../../../runtime/executor/executor.ts";
import type { JobContext } from "../../../../../../runtime/executor/run/job-context.ts";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import type { McpInputRequired, McpToolAnswer } from "../../../../../../runtime/fronts/mcp/port/answers.ts";
import type { McpCallContext, McpPort } from "../../../../../../runtime/fronts/mcp/port/port.ts";
import { createToolPort } from "../../../../../../runtime/fronts/mcp/calls/tool-port.ts";
import type { Tool } from "../../../../../../runtime/service/tools/tool.ts";
import { fakeTool } from "../../../../../support/fake-tool.ts";

const stateKey = "0123456789abcdef0123456789abcdef";
const yesOrNo = {
  schema: { type: "object", properties: { answer: { type: "boolean" } }, required: ["answer"] },
  single: true,
} as const;
const nameForm = {
  schema: {
    type: "object",
    properties: { name: { type: "string", minLength: 1 }, title: { type: "string", default: "Dr" } },
    required: ["name"],
  },
} as const;

function serve(tools: readonly Tool[]): { port: McpPort; executor: Executor } {
  const executor = createExecutor({ tools, store: createMemoryStore() });
  const start: Executor["start"] = (submission) => executor.start(submission);
  const port = createToolPort({ info: { name: "t", version: "1" }, tools, start, stateKey, jobs: executor });
  return { port, executor };
}

function context(more: Partial<McpCallContext> = {}): McpCallContext {
  return { signal: new AbortController().signal, capabilities: { elicitation: {} }, ...more };
}

function questions(answer: McpToolAnswer): McpInputRequired {
  if (!("inputRequests" in answer)) throw new Error(`no question: ${JSON.stringify(answer)}`);
  return answer;
}

const textOf = (answer: McpToolAnswer): unknown => ("content" in answer ? answer.content[0] : answer);
const text = (value: string): object => ({ type: "text", text: value });
const accept = (content: JsonObject): JsonObject => ({ action: "accept", content });

const asking = { request: null, resultKind: "text" } as const;

function counted(): { tool: Tool; runs: () => number } {
  let runs = 0;
  const call = async (_: unknown, job: JobContext): Promise<string> => {
    runs += 1;
    const { name } = await job.ask<{ name: string }>("Who?", {}, nameForm);
    const sure = await job.ask<boolean>(`Sure, ${name}?`, {}, yesOrNo);
    return `${name} ${String(sure)}`;
  };
  return { tool: fakeTool(call, { ...asking, name: "two" }), runs: () => runs };
}

describe("a question", () => {
  test("is sent with its form, and the function goes on where it asked", async () => {
    const { tool, runs } = counted();
    const { port } = serve([tool]);
    const first = questions(await callTool(port, "two", {}, context()));
    expect(first.inputRequests).toEqual({
      "question-1": { method: "elicitation/create", params: { message: "Who?", requestedSchema: nameForm.schema } },
    });
    const again = context({
      requestState: first.requestState,
      inputResponses: { "question-1": accept({ name: "Ann" }) },
    });
    const second = questions(await callTool(port, "two", {}, again));
    expect(Object.values(second.inputRequests)[0]?.params["message"]).toBe("Sure, Ann?");
    const last = context({
      requestState: second.requestState,
      inputResponses: { "question-2": accept({ answer: true }) },
    });
    expect(textOf(await callTool(port, "two", {}, last))).toEqual(text("Ann true"));
    expect(runs()).toBe(1);
  });

  test("is answered on another instance, where the function runs again with the answers so far", async () => {
    const one = counted();
    const other = counted();
    const first = questions(await callTool(serve([one.tool]).port, "two", {}, context()));
    const { port } = serve([other.tool]);
    const again = context({
      requestState: first.requestState,
      inputResponses: { "question-1": accept({ name: "Ann" }) },
    });
    const second = questions(await callTool(port, "two", {}, again));
    const third = serve([counted().tool]).port;
    const last = context({
      requestState: second.requestState,
      inputResponses: { "question-2": accept({ answer: false }) },
    });
    expect(textOf(await callTool(third, "two", {}, last))).toEqual(text("Ann false"));
    expect([one.runs(), other.runs()]).toEqual([1, 1]);
  });

  test("that has changed since is asked again: a yes to another question does not count", async () => {
    const asks = (count: number): Tool =>
      fakeTool(async (_: unknown, job: JobContext) => String(await job.ask(`Delete ${count}?`, {}, yesOrNo)), {
        ...asking,
        name: "delete",
      });
    const first = questions(await callTool(serve([asks(5)]).port, "delete", {}, context()));
    const yes = { inputResponses: { "question-1": accept({ answer: true }) } };
    const { port } = serve([asks(6)]);
    const second = questions(await callTool(port, "delete", {}, context({ ...yes, requestState: first.requestState })));
    expect(second.inputRequests["question-1"]?.params["message"]).toBe("Delete 6?");
    const last = context({ ...yes, requestState: second.requestState });
    expect(textOf(await callTool(port, "delete", {}, last))).toEqual(text("true"));
  });

  test.each<[string, unknown]>([
    ["no answers", undefined],
    ["an answer to something else", { other: accept({ name: "x" }) }],
    ["no object", { "question-1": 12_345 }],
    ["null", null],
    ["no action", { "question-1": { content: { name: "x" } } }],
    ["a wrong type", { "question-1": accept({ name: 1 }) }],
    ["an empty text", { "question-1": accept({ name: "" }) }],
    ["no content", { "question-1": { action: "accept" } }],
  ])("is asked again after %s", async (_, inputResponses) => {
    const { tool, runs } = counted();
    const { port } = serve([tool]);
    const first = questions(await callTool(port, "two", {}, context()));
    const again = context({ requestState: first.requestState, inputResponses });
    expect(Object.keys(questions(await callTool(port, "two", {}, again)).inputRequests)).toEqual(["question-1"]);
    expect(runs()).toBe(1);
  });

  test("has its defaults filled in, and nothing that the form has not", async () => {
    const tool = fakeTool(
      async (_: unknown, job: JobContext) => JSON.stringify(await job.ask("Who?", {}, nameForm)),
      asking,
    );
    const { port } = serve([tool]);
    const given = context({ inputResponses: { "question-1": accept({ name: "Ann", admin: true }) } });
    expect(textOf(await callTool(port, "echo", {}, given))).toEqual(text('{"name":"Ann","title":"Dr"}'));
  });

  test.each([
    ["decline", "The user declined the question: Who?"],
    ["cancel", "The user dismissed the question: Who?"],
  ])("that meets %s fails the call, unless the author catches it", async (action, message) => {
    const { port } = serve([counted().tool]);
    const refused = context({ inputResponses: { "question-1": { action } } });
    expect(await callTool(port, "two", {}, refused)).toMatchObject({ isError: true, content: [text(message)] });
  });

  test("and others that are asked at the same time go out together; keys of a loop stay apart", async () => {
    const call = async (_: unknown, job: JobContext): Promise<string> => {
      const both = await Promise.all([job.ask("A?", { key: "k" }, yesOrNo), job.ask("B?", { key: "k" }, yesOrNo)]);
      return both.join();
    };
    const { port } = serve([fakeTool(call, asking)]);
    const first = questions(await callTool(port, "echo", {}, context()));
    expect(Object.keys(first.inputRequests)).toEqual(["k", "k-2"]);
    const half = context({ requestState: first.requestState, inputResponses: { k: accept({ answer: true }) } });
    const second = questions(await callTool(port, "echo", {}, half));
    expect(Object.keys(second.inputRequests)).toEqual(["k-2"]);
    const rest = context({ requestState: second.requestState, inputResponses: { "k-2": accept({ answer: false }) } });
    expect(textOf(await callTool(port, "echo", {}, rest))).toEqual(text("true,false"));
  });
});

describe("where nobody can be asked", () => {
  test("over MCP, the text says what the client lacks", async () => {
    const { port } = serve([counted().tool]);
    for (const capabilities of [{}, { sampling: {} }, { elicitation: { url: {} } }]) {
      expect(await callTool(port, "two", {}, context({ capabilities }))).toMatchObject({
        isError: true,
        content: [
          text(
            'The tool asks its user a question, and this client cannot show questions (it has not declared the capability "elicitation"). Call it from one that can.',
          ),
        ],
      });
    }
  });

  test("elsewhere, it names MCP", async () => {
    const { tool } = counted();
    const done = await serve([tool]).executor.start({ tool, input: {} }).done;
    expect(done).toMatchObject({
      state: "failed",
      error: {
        message:
          "The tool asks its user a question, and this call has no client that could be asked. Call it over MCP; a tool with `@thread` cannot ask.",
      },
    });
  });

  test("a request of the protocol is a fault that names the capability", async () => {
    const tool = fakeTool(
      async (_: unknown, job: JobContext) => JSON.stringify(await job.request("roots/list")),
      asking,
    );
    await expect(callTool(serve([tool]).port, "echo", {}, context())).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { roots: {} } },
    });
  });

  test("without the plugin's form, the author is told", async () => {
    const tool = fakeTool(async (_: unknown, job: JobContext) => String(await job.ask("Who?")), asking);
    const job = serve([tool]).executor.start({ tool, input: {} });
    expect(await job.done).toMatchObject({ state: "error", error: { cause: { name: "TypeError" } } });
  });
});

describe("what a client keeps", () => {
  test("belongs to the tool, the arguments and the caller that it was made for", async () => {
    const { tool } = counted();
    const { port } = serve([tool, fakeTool(() => "", { name: "other", resultKind: "text" })]);
    const { requestState } = questions(await callTool(port, "two", { a: 1 }, context({ owner: "ann" })));
    const refused = { code: -32602, message: "Invalid or expired requestState" };
    const later = (owner?: string): McpCallContext => context({ requestState, ...(owner !== undefined && { owner }) });
    await expect(callTool(port, "other", { a: 1 }, later("ann"))).rejects.toMatchObject(refused);
    await expect(callTool(port, "two", { a: 2 }, later("ann"))).rejects.toMatchObject(refused);
    await expect(callTool(port, "two", { a: 1 }, later("bob"))).rejects.toMatchObject(refused);
    await expect(callTool(port, "two", { a: 1 }, later())).rejects.toMatchObject(refused);
    await expect(callTool(port, "two", { a: 1 }, context({ requestState: 7 }))).rejects.toMatchObject(refused);
    expect(await callTool(port, "two", { a: 1 }, later("ann"))).toHaveProperty("inputRequests");
  });
});

describe("a job that waits for an answer", () => {
  afterEach(() => vi.useRealTimers());

  test("holds no place of its tool", async () => {
    const call = async ({ text: mode }: { text?: string }, job: JobContext): Promise<string> =>
      mode === "ask" ? String(await job.ask("?", {}, yesOrNo)) : "done";
    const tool = fakeTool(call, { resultKind: "text", options: { executorOpts: { maxWorkers: 1, queueSize: 0 } } });
    const { port } = serve([tool]);
    const { requestState } = questions(await callTool(port, "echo", { text: "ask" }, context()));
    expect(textOf(await callTool(port, "echo", {}, context()))).toEqual(text("done"));
    const answered = context({ requestState, inputResponses: { "question-1": accept({ answer: true }) } });
    expect(textOf(await callTool(port, "echo", { text: "ask" }, answered))).toEqual(text("true"));
    expect(textOf(await callTool(port, "echo", {}, context()))).toEqual(text("done"));
  });

  test("does not spend its time limit", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const call = async (_: unknown, job: JobContext): Promise<string> => String(await job.ask("?", {}, yesOrNo));
    const { port } = serve([fakeTool(call, { ...asking, definition: { timeout: 1000 } })]);
    const { requestState } = questions(await callTool(port, "echo", {}, context()));
    vi.advanceTimersByTime(60_000);
    const answered = context({ requestState, inputResponses: { "question-1": accept({ answer: true }) } });
    expect(textOf(await callTool(port, "echo", {}, answered))).toEqual(text("true"));
  });

  // Shorter than the grace, which only running jobs have.
  test("is ended at once when the service stops, and cleans up", { timeout: 30_000 }, async () => {
    let cleaned = "";
    const call = async (_: unknown, job: JobContext): Promise<string> => {
      try {
        return String(await job.ask("?", {}, yesOrNo));
      } catch (error) {
        cleaned = String(error);
        throw error;
      }
    };
    const { port, executor } = serve([fakeTool(call, asking)]);
    questions(await callTool(port, "echo", {}, context()));
    const written = vi.spyOn(process.stdout, "write");
    await executor.drain(3_600_000);
    expect(cleaned).toMatch(
      /^ToolError: The service stopped or loaded new code while the job waited for an answer\. An/,
    );
    expect(written.mock.calls.join("")).not.toContain("job failed");
  });
});
