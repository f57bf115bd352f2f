import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HttpReply } from "../../../../../../runtime/fronts/mcp/http/http-reply.ts";
import { faultCodes, McpFault } from "../../../../../../runtime/fronts/mcp/port/fault.ts";
import { fakeExchange } from "../../../../../support/fake-exchange.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A reply, its answers, and how often the call was cancelled. */
function scene(era: "modern" | "legacy" = "modern") {
  const { exchange, answers, leave } = fakeExchange();
  const reply = new HttpReply(exchange, era);
  let cancelled = 0;
  const goesOn = (): void => reply.goesOn(() => cancelled++);
  const body = (): ReadableStream<Uint8Array> => answers[0]?.body as ReadableStream<Uint8Array>;
  return { reply, answers, leave, goesOn, body, cancelled: () => cancelled };
}

/** All that a stream has sent once it has ended. */
const textOf = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text();

test("an answer that nothing precedes is JSON, its text and its bytes together", () => {
  const { reply, answers } = scene();
  reply.end('{"a":', Buffer.from("1}"), undefined);
  const [answer] = answers;
  expect([answer?.status, answer?.headers]).toEqual([200, ["Content-Type", "application/json"]]);
  expect(String(answer?.body)).toBe('{"a":1}');
  expect(reply.ended).toBe(true);
});

test.each([
  ["modern", faultCodes.missingCapability, 400],
  ["legacy", faultCodes.missingCapability, 200],
  ["modern", faultCodes.invalidParams, 200],
  ["modern", undefined, 200],
] as const)("a fault of a %s client with the code %s has the status %s", (era, code, status) => {
  const { reply, answers } = scene(era);
  reply.end("{}", undefined, code === undefined ? undefined : new McpFault(code, "Not so."));
  expect(answers.map((answer) => answer.status)).toEqual([status]);
});

test("messages before the answer make a stream of events, which ends with the answer", async () => {
  const { reply, answers, body } = scene();
  reply.notify('{"one":1}');
  reply.notify('{"two":2}');
  reply.end('{"a":', Buffer.from("1}"), undefined);
  reply.notify('{"late":1}');
  reply.end("{}", undefined, undefined);
  expect(answers).toHaveLength(1);
  expect([answers[0]?.status, answers[0]?.headers]).toEqual([
    200,
    ["Content-Type", "text/event-stream", "Cache-Control", "no-cache, no-transform", "X-Accel-Buffering", "no"],
  ]);
  const messages = ['{"one":1}', '{"two":2}', '{"a":1}'];
  expect(await textOf(body())).toBe(messages.map((text) => `event: message\ndata: ${text}\n\n`).join(""));
});

test("a stream that is silent gets a line each 15 seconds, and none behind its end", async () => {
  const { reply, body } = scene();
  reply.notify("{}");
  vi.advanceTimersByTime(44_999);
  reply.end("{}", undefined, undefined);
  vi.advanceTimersByTime(60_000);
  const event = "event: message\ndata: {}\n\n";
  expect(await textOf(body())).toBe(`${event}: keepalive\n\n: keepalive\n\n${event}`);
});

test("an older client gets a stream after a second, a newer one when there is something", () => {
  const [old, next] = [scene("legacy"), scene("modern")];
  old.goesOn();
  next.goesOn();
  vi.advanceTimersByTime(999);
  expect(old.answers).toHaveLength(0);
  vi.advanceTimersByTime(1);
  expect([old.answers.length, next.answers.length]).toEqual([1, 0]);
  vi.advanceTimersByTime(100_000);
  expect([old.answers.length, next.answers.length]).toEqual([1, 0]);
});

test("an answer within the second is JSON, and no stream follows", () => {
  const { reply, answers, goesOn } = scene("legacy");
  goesOn();
  reply.end("{}", undefined, undefined);
  vi.advanceTimersByTime(10_000);
  expect(answers.map(({ headers }) => headers)).toEqual([["Content-Type", "application/json"]]);
});

test("progress beyond a megabyte that nobody reads is dropped, the answer is not", async () => {
  const { reply, body } = scene();
  const large = "x".repeat(300_000);
  for (let count = 0; count < 10; count++) reply.notify(large);
  reply.end("{}", undefined, undefined);
  const text = await textOf(body());
  expect(text.match(/^data: x/gm)).toHaveLength(4);
  expect(text.endsWith("data: {}\n\n")).toBe(true);
});

test("a caller that leaves cancels its call once, and gets nothing more", () => {
  const { reply, answers, goesOn, leave, cancelled } = scene("legacy");
  goesOn();
  leave();
  leave();
  reply.notify("{}");
  reply.end("{}", undefined, undefined);
  vi.advanceTimersByTime(10_000);
  expect([cancelled(), answers.length, reply.ended]).toEqual([1, 0, true]);
});

test("a reader that cancels the stream cancels the call; one that leaves behind the answer does not", async () => {
  const early = scene();
  early.goesOn();
  early.reply.notify("{}");
  await early.body().cancel();
  expect(early.cancelled()).toBe(1);
  const late = scene();
  late.goesOn();
  late.reply.end("{}", undefined, undefined);
  late.leave();
  expect(late.cancelled()).toBe(0);
});
