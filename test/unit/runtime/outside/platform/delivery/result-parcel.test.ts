import { expect, test } from "vitest";
import { ToolError, ValueError } from "../../../../../../runtime/base/errors.ts";
import type { JobOutcome } from "../../../../../../runtime/job/job.ts";
import { packResult } from "../../../../../../runtime/outside/platform/delivery/result-parcel.ts";

async function pack(outcome: JobOutcome, owner: Parameters<typeof packResult>[1] = {}): Promise<unknown[]> {
  const { id, headers, isError, contentType, body } = await packResult("urn:platform:job:a", owner, outcome);
  return [
    id,
    headers,
    isError,
    contentType,
    contentType === "application/json" ? JSON.parse(Buffer.from(body).toString()) : Buffer.from(body).toString(),
  ];
}

function failed(error: ToolError): Promise<unknown[]> {
  return pack({ state: "error", error });
}

test("results as on every other front", async () => {
  const succeed = async (result: Extract<JobOutcome, { state: "succeeded" }>["result"]): Promise<unknown[]> =>
    (await pack({ state: "succeeded", result })).slice(2);
  expect(await succeed({ kind: "json", json: '{"a":1}' })).toEqual([false, "application/json", { a: 1 }]);
  expect(await succeed({ kind: "text", text: "é" })).toEqual([false, "text/plain; charset=utf-8", "é"]);
  expect(await succeed({ kind: "binary", contentType: "image/svg+xml", content: "<svg/>" })).toEqual([
    false,
    "image/svg+xml",
    "<svg/>",
  ]);
  const stream = ReadableStream.from([Buffer.from("a"), Buffer.from("b")]);
  expect(await succeed({ kind: "binary", contentType: "a/b", content: stream })).toEqual([false, "a/b", "ab"]);
});

test("a stream that fails is an error result", async () => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("a");
    throw new RangeError("secret");
  }
  const packed = await pack({
    state: "succeeded",
    result: { kind: "binary", contentType: "a/b", content: ReadableStream.from(chunks()) },
  });
  expect([packed[2], (packed[4] as { type: string }).type, JSON.stringify(packed).includes("secret")]).toEqual([
    true,
    "RangeError",
    false,
  ]);
});

test("the id and the headers are the attempt's and the job's own", async () => {
  const owner = { authorization: "Bearer a", attempt: { id: "a", headers: { "Job-Lease": "l" } } };
  expect((await pack({ state: "succeeded", result: { kind: "json", json: "1" } }, owner)).slice(0, 2)).toEqual([
    "a",
    { Authorization: "Bearer a", "Job-Lease": "l" },
  ]);
});

test("errors: the caller's with their text, ours without; the class of what was thrown, nothing of its stack", async () => {
  class TooOld extends ValueError {
    override readonly name = "TooOld";
  }
  const hostile = new Proxy(new Error("x"), {
    get: () => {
      throw new Error("no");
    },
  });
  const $schema = "urn:platform:schema.service.error.1";
  const fixed = "The tool failed. The service's log has the reason. Job: urn:platform:job:a";
  const bodies = await Promise.all(
    [
      ToolError.from(new TooOld("of 1999")),
      ToolError.from(new TypeError("secret")),
      ToolError.from("secret"),
      ToolError.from(hostile),
      new ToolError("timeout", "Too slow."),
    ].map(failed),
  );
  expect(bodies.map((packed) => packed[4])).toEqual([
    { $schema, error: "of 1999", type: "TooOld" },
    { $schema, error: fixed, type: "TypeError" },
    { $schema, error: fixed, type: "Error" },
    { $schema, error: fixed, type: "Error" },
    { $schema, error: "Too slow.", type: "timeout" },
  ]);
});
