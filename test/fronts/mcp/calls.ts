import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { CallAnswer, Progress, TestClient } from "./clients.ts";

const jobId = expect.stringMatching(
  /^urn:platform:job:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
) as unknown;

function withoutServerInfo(answer: CallAnswer): Omit<CallAnswer, "_meta"> {
  const { _meta, resultType: _, ...rest } = answer as CallAnswer & { resultType?: string };
  expect(_meta?.["platform/job-id"]).toEqual(jobId);
  return rest;
}

const text = (value: string): object => ({ type: "text", text: value });

/** Answers that every client must get from the hand-built tools, whatever the transport and the era. */
export function describeCalls(client: () => TestClient): void {
  test("the list has all tools in source order, with everything that is known of them", async () => {
    const { tools, nextCursor } = await client().listTools();
    expect(tools.map((tool) => tool["name"]).slice(0, 5)).toEqual(["isPrime", "echo", "list", "nothing", "summary"]);
    expect(nextCursor).toBeUndefined();
    expect(tools[0]).toEqual({
      name: "isPrime",
      title: "Prime test",
      description: "Tests whether a number is prime.",
      inputSchema: { type: "object", properties: { number: { type: "integer", minimum: 0 } }, required: ["number"] },
      outputSchema: {
        type: "object",
        properties: { number: { type: "integer" }, isPrime: { type: "boolean" } },
        required: ["number", "isPrime"],
      },
      annotations: { readOnlyHint: true, idempotentHint: true },
      icons: [{ src: "data:image/png;base64,AAAA", mimeType: "image/png" }],
      _meta: { "platform/request-schema": "urn:example:schema.x.1" },
    });
  });

  test.each<[string, object, object]>([
    [
      "isPrime",
      { number: 7 },
      { content: [text('{"number":7,"isPrime":true}')], structuredContent: { number: 7, isPrime: true } },
    ],
    ["echo", { text: "hi\nthere" }, { content: [text("hi\nthere")] }],
    ["list", {}, { content: [text("[1,2,3]")], structuredContent: { result: [1, 2, 3] } }],
    ["nothing", {}, { content: [] }],
    ["silent", {}, { content: [], structuredContent: { ok: true } }],
    [
      "isPrime",
      { number: "seven" },
      {
        content: [
          text('The request does not match its schema.\n- /number: Expected integer of at least 0, got "seven".'),
        ],
        isError: true,
      },
    ],
    ["fail", { kind: "user" }, { content: [text("The number is too large for this planet.")], isError: true }],
    ["binary", { type: "image/png" }, { content: [{ type: "image", data: "AQID/w==", mimeType: "image/png" }] }],
    ["binary", { type: "audio/wav" }, { content: [{ type: "audio", data: "AQID/w==", mimeType: "audio/wav" }] }],
    ["binary", { type: "text/csv", text: "a;b" }, { content: [text("a;b")] }],
    ["binary", { type: "image/svg+xml; charset=utf-8", text: "<svg/>" }, { content: [text("<svg/>")] }],
  ])("%s %j", async (name, args, expected) => {
    expect(withoutServerInfo(await client().callTool(name, args))).toEqual(expected);
  });

  test("a summary counts what is long; the whole is in the structured content", async () => {
    const answer = await client().callTool("summary", { a: 1 });
    expect(answer.content).toEqual([text("ok: true\nlong: 300 items")]);
    expect(answer.structuredContent).toEqual({ ok: true, long: Array.from({ length: 300 }, () => 1) });
  });

  test.each([
    ["bytes", "application/octet-stream", "AQID"],
    ["stream", "application/pdf", "AAAA"],
  ])("%s come as an embedded resource", async (name, mimeType, blob) => {
    const answer = await client().callTool(name);
    const uri = `${String(answer._meta?.["platform/job-id"])}#result`;
    expect(answer.content).toEqual([{ type: "resource", resource: { uri, mimeType, blob } }]);
  });

  test("a system error says nothing of its cause", async () => {
    const answer = await client().callTool("fail", { kind: "system" });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer)).not.toMatch(/canary|passwd|\bat /);
    const job = String(answer._meta?.["platform/job-id"]);
    expect(answer.content).toEqual([text(`The tool failed. The service's log has the reason. Job: ${job}`)]);
  });

  test("a stream that fails, and one that is too long, are errors", async () => {
    const failed = await client().callTool("stream", { fail: true });
    expect(withoutServerInfo(failed)).toEqual({
      content: [
        text(`The tool failed. The service's log has the reason. Job: ${String(failed._meta?.["platform/job-id"])}`),
      ],
      isError: true,
    });
    const long = await client().callTool("stream", { size: 7_000_000 });
    expect(withoutServerInfo(long)).toEqual({
      content: [text("The result is larger than the limit of 6291456 bytes. Store a large result as an artifact.")],
      isError: true,
    });
  });

  test("an unknown tool is a protocol error", async () => {
    await expect(client().callTool("nope")).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool: nope$/) as unknown,
    });
  });

  // Both official clients drop progress that arrives in one piece with the result, so the call waits until it is there.
  async function progressOf(args: { steps: number; text?: string }): Promise<{ seen: Progress[]; answer: CallAnswer }> {
    const gate = randomUUID();
    const seen: Progress[] = [];
    const call = client().callTool("steps", { ...args, gate }, { onprogress: (progress) => seen.push(progress) });
    await expect.poll(() => seen.length).toBe(2 * args.steps);
    await client().callTool("open", { gate });
    return { seen, answer: await call };
  }

  test("progress is counted and carries the steps' messages", async () => {
    const { seen, answer } = await progressOf({ steps: 2 });
    expect(answer.structuredContent).toEqual({ steps: 2 });
    expect(seen).toEqual([
      progressOfEvent(1, "Step 1 begins", "step.start", "step 1"),
      progressOfEvent(2, "step 1", "step.finish", "step 1"),
      progressOfEvent(3, "Step 2 begins", "step.start", "step 2"),
      progressOfEvent(4, "step 2", "step.finish", "step 2"),
    ]);
  });

  test("a message with line ends stays one message", async () => {
    const hostile = "a\n\nevent: message\ndata: {}\r\n\r\n";
    const { seen } = await progressOf({ steps: 1, text: hostile });
    expect(seen).toEqual([
      progressOfEvent(1, hostile, "step.start", "step 1"),
      progressOfEvent(2, "step 1", "step.finish", "step 1"),
    ]);
  });

  test("concurrent calls get their own answers", async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `canary-${index}`);
    const answers = await Promise.all(texts.map((value) => client().callTool("echo", { text: value })));
    expect(answers.map((answer) => answer.content)).toEqual(texts.map((value) => [text(value)]));
  });
}

/** A notification with its event, as REST streams it. */
function progressOfEvent(sequence: number, message: string, kind: string, name: string): unknown {
  const $schema = `urn:platform:schema:service.event.${kind}.1`;
  const event: unknown = expect.objectContaining({ $schema, name, sequence });
  return { progress: sequence, message, _meta: { "platform/event": event } };
}
