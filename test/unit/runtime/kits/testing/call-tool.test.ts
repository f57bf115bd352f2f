import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { ValueError } from "../../../../../runtime/base/errors.ts";
import { BinaryResult } from "../../../../../runtime/job/binary-result.ts";
import { getJobContext, getJobId, type JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import { clearRegistry } from "../../../../../runtime/service/tools/registry.ts";
import { callTool, fakeClock, recordedJob, ToolCallError } from "../../../../../runtime/kits/testing/index.ts";
import { decodeDate } from "../../../../../runtime/contract/validation/codecs/codecs.ts";
import { definedTool } from "../../../../support/defined-tool.ts";

afterAll(clearRegistry);

interface Sum {
  readonly number: number;
}

const double = async ({ number }: Sum, job: JobContext): Promise<Sum> =>
  job.report.step("double", { message: `Doubling ${number}` }, (step) => {
    step.info({ progress: 50 });
    if (number === 13) throw new ValueError("13 is refused.");
    if (number === 666) throw new TypeError("secret detail");
    step.finished({ message: "Doubled" });
    return { number: number * 2 };
  });

beforeAll(() => {
  definedTool(double, {
    name: "double",
    request: { type: "object", properties: { number: { type: "integer", minimum: 0 } }, required: ["number"] },
    functions: { encodeResult: (value: Sum) => ({ $schema: "urn:test:sum.1", ...value }) },
  });
});

async function failure(call: Promise<unknown>): Promise<ToolCallError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ToolCallError) return error;
  throw new Error("It did not fail as a tool fails.", { cause: error });
}

describe("callTool", () => {
  test("gives the result, what callers get, the events and the steps", async () => {
    const { result, wire, events, steps } = await callTool(double, { number: 4 });
    expectTypeOf(result).toEqualTypeOf<Sum>();
    expect(result).toEqual({ number: 8 });
    expect(wire).toEqual({ $schema: "urn:test:sum.1", number: 8 });
    expect(events.map(({ sequence, $schema }) => [sequence, $schema])).toEqual([
      [1, "urn:platform:schema:service.event.step.start.1"],
      [2, "urn:platform:schema:service.event.generic.1"],
      [3, "urn:platform:schema:service.event.step.finish.1"],
    ]);
    expect(steps).toEqual([
      {
        name: "double",
        started: { message: "Doubling 4" },
        progress: [{ progress: 50 }],
        finished: { message: "Doubled" },
      },
    ]);
  });

  test("refuses a request as the service does, with every problem", async () => {
    const error = await failure(callTool(double, { number: -1 }));
    expect(error).toMatchObject({ kind: "validation", status: 422, problems: [{ path: "/number" }], steps: [] });
    expect(error.message).toMatch(/^The request does not match its schema\.\n {2}\/number: /);
  });

  test("a ValueError is the caller's mistake, with its text", async () => {
    const error = await failure(callTool(double, { number: 13 }));
    expect(error).toMatchObject({ kind: "user-input", status: 400, message: "13 is refused.", problems: [] });
    expect(error.cause).toBeInstanceOf(ValueError);
    expect(error.steps).toMatchObject([{ name: "double", failed: "13 is refused." }]);
  });

  test("any other error is the tool's: callers get a fixed text, the test the cause", async () => {
    const error = await failure(callTool(double, { number: 666 }));
    expect(error).toMatchObject({ kind: "system", status: 500 });
    expect(error.message).not.toContain("secret");
    expect(error.cause).toEqual(new TypeError("secret detail"));
  });

  test("a result that does not match its type is told with the reason", async () => {
    const wrong = definedTool(() => ({ number: Number.NaN }), { name: "wrong", request: null });
    const error = await failure(callTool(wrong));
    expect(error).toMatchObject({ kind: "invalid-result", cause: { message: expect.stringContaining("NaN") } });
  });

  test("takes values as the function has them, and as JSON carries them", async () => {
    const year = definedTool(({ at }: { at: Date }) => at.getUTCFullYear(), {
      name: "year",
      request: { type: "object", properties: { at: { type: "string", format: "date-time" } }, required: ["at"] },
      functions: { decodeRequest: (wire: { at: string }) => ({ at: decodeDate(wire.at) }) },
    });
    expect((await callTool(year, { at: new Date("2026-05-01T00:00:00Z") })).result).toBe(2026);
    expect((await callTool(year, { at: "2027-05-01T00:00:00Z" })).result).toBe(2027);
  });

  test("the job is a real one: ids, token, context of the code that runs", async () => {
    const look = definedTool(
      async (_: object, job: JobContext) => {
        await Promise.resolve();
        return { id: getJobId(), same: getJobContext() === job, token: job.jobAuthorization };
      },
      { name: "look" },
    );
    const { result } = await callTool(look, {}, { jobId: "one", authorization: "Bearer t" });
    expect(result).toEqual({ id: "urn:platform:job:one", same: true, token: "Bearer t" });
    await expect(callTool(look, {}, { jobId: "../x" })).rejects.toThrow('jobId: "../x" is not a job id');
  });

  test("cancels by a signal, and waits until the function has ended", async () => {
    let ended = false;
    const slow = definedTool(
      async (_: object, job: JobContext) => {
        const { promise, reject } = Promise.withResolvers<string>();
        job.signal.addEventListener("abort", () => setImmediate(() => reject(job.signal.reason as Error)));
        return promise.finally(() => {
          ended = true;
        });
      },
      { name: "slow" },
    );
    const controller = new AbortController();
    const call = failure(callTool(slow, {}, { signal: controller.signal }));
    controller.abort(new Error("the user left"));
    expect(await call).toMatchObject({ kind: "cancelled", status: 409, message: "the user left" });
    expect(ended).toBe(true);
    await expect(callTool(double, { number: 1 }, { signal: AbortSignal.abort("gone") })).rejects.toThrow("gone");
  });

  test("a stream is collected", async () => {
    const picture = definedTool(
      () => new BinaryResult("image/png", ReadableStream.from([Buffer.from("ab"), Buffer.from("c")])),
      { name: "picture", request: null, resultKind: "binary" },
    );
    const { result, wire } = await callTool(picture);
    expect(result).toMatchObject({ contentType: "image/png", content: Buffer.from("abc") });
    expect(wire).toEqual(Buffer.from("abc"));
  });

  test("answers questions", async () => {
    const form = { schema: { type: "object", properties: { answer: { type: "boolean" } }, required: ["answer"] } };
    const ask = definedTool(
      (_: object, job: JobContext) => job.ask<boolean>("Really?", { key: "sure" }, { ...form, single: true }),
      { name: "ask" },
    );
    expect((await callTool(ask, {}, { answers: { sure: true } })).result).toBe(true);
    const asked: string[] = [];
    const answers = ({ message }: { message: string }): { action: string } => {
      asked.push(message);
      return { action: "decline" };
    };
    expect(await failure(callTool(ask, {}, { answers }))).toMatchObject({ kind: "user-input" });
    expect(asked).toEqual(["Really?"]);
    expect((await failure(callTool(ask, {}, { answers: {} }))).cause).toMatchObject({
      message: 'The job asks "sure" (Really?), and the test has no answer: add answers: { "sure": … }.',
    });
    expect((await failure(callTool(ask, {}, { answers: { sure: "yes" } }))).cause).toMatchObject({
      message: 'The test\'s answer to "sure", "yes", does not match the question.',
    });
  });

  test("a tool without definition names the plugin", async () => {
    const stray = async (): Promise<void> => {};
    await expect(callTool(stray)).rejects.toThrow(
      /^stray has no definition, .*add it to vitest\.config\.ts \(import tenon from "tenon\/vite", then plugins: \[tenon\(\)\]\)/,
    );
  });

  test("@timeout runs on the fake clock", async () => {
    using clock = fakeClock();
    const waits = definedTool(
      (_: object, job: JobContext) =>
        new Promise<void>((_resolve, reject) => {
          job.signal.addEventListener("abort", () => reject(job.signal.reason as Error));
        }),
      { name: "waits", definition: { timeout: 30_000 } },
    );
    const call = failure(callTool(waits, {}));
    await clock.advance(30_000);
    expect(await call).toMatchObject({ kind: "timeout", status: 504 });
  });
});

test("recordedJob serves functions that are no tools", async () => {
  const { job, steps, run } = recordedJob();
  await double({ number: 2 }, job);
  expect(steps).toMatchObject([{ name: "double", progress: [{ progress: 50 }], finished: { message: "Doubled" } }]);
  expect(run(() => getJobContext())).toBe(job);
  expect(recordedJob({ signal: AbortSignal.abort("gone") }).job.signal.aborted).toBe(true);
});

test("what happens at the same time in steps of one name stays apart from other names", () => {
  const { job, steps } = recordedJob();
  const one = job.report.step("one");
  const two = job.report.step("two");
  one.info({ n: 1 });
  two.info({ n: 2 });
  two.error(new ValueError("no"));
  one.finished();
  expect(steps).toEqual([
    { name: "one", started: {}, progress: [{ n: 1 }], finished: {} },
    { name: "two", started: {}, progress: [{ n: 2 }], failed: "no" },
  ]);
});
