import { createReadStream, type ReadStream } from "node:fs";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { BinaryResult } from "../../../runtime/job/binary-result.ts";
import { flushLogs, loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { serve } from "../../support/serve.ts";

let lines: string[];
beforeEach(() => {
  lines = [];
  loggingInit({ level: "ERROR", write: (line) => lines.push(line) });
});

async function logged(): Promise<{ msg: string; job_id: string; kind: string; error: { message: string } }> {
  await flushLogs();
  expect(lines.length).toBe(1);
  return JSON.parse(lines[0] ?? "");
}

/** Calls a tool that gives a stream, and reads what comes. */
async function read(
  source: AsyncIterable<Uint8Array>,
): Promise<{ bytes: number; error: unknown; job: string | null | undefined }> {
  const tool = fakeTool(() => new BinaryResult("text/csv", source), { resultKind: "binary" });
  const server = await serve([tool]);
  onTestFinished(() => server.stop());
  let bytes = 0;
  let job: string | null | undefined;
  try {
    const response = await server.post("/tool", {});
    job = response.headers.get("job-id");
    for await (const chunk of response.body ?? []) bytes += chunk.byteLength;
  } catch (error) {
    return { bytes, error, job };
  }
  return { bytes, error: undefined, job };
}

test("a stream under the limit goes out as it comes", async () => {
  const gate = Promise.withResolvers<void>();
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("first");
    await gate.promise;
    yield Buffer.from("second");
  }
  const tool = fakeTool(() => new BinaryResult("text/csv", source()), { resultKind: "binary" });
  const server = await serve([tool]);
  onTestFinished(() => server.stop());
  const reader = (await server.post("/tool", {})).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
  gate.resolve();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("second");
  expect((await reader?.read())?.done).toBe(true);
  expect(lines).toEqual([]);
});

test("a stream over the limit is cut, its source is told, and the log says why", async () => {
  let stopped = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new Uint8Array(1024 * 1024);
    } finally {
      stopped = true;
    }
  }
  const { bytes, error, job } = await read(endless());
  expect([bytes > 0, bytes <= 6 * 1024 * 1024, error instanceof Error]).toEqual([true, true, true]);
  const { msg, kind, job_id, error: reason } = await logged();
  expect([msg, kind, job_id, stopped]).toEqual(["result cut off", "invalid-result", job, true]);
  expect(reason.message).toBe(
    "The result is larger than the limit of 6291456 bytes. Store a large result as an artifact.",
  );
});

test("a source that throws on the way cuts the answer, and the log has what it threw", async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("begun");
    throw new TypeError("the disk is gone");
  }
  const { error } = await read(failing());
  expect(error).toBeInstanceOf(Error);
  const { msg, kind, error: reason } = await logged();
  expect([msg, kind, reason.message]).toEqual(["result cut off", "system", "the disk is gone"]);
});

test("a source that gives no bytes cuts the answer", async () => {
  async function* text(): AsyncGenerator<Uint8Array> {
    yield "text" as unknown as Uint8Array;
  }
  expect((await read(text())).error).toBeInstanceOf(Error);
  expect((await logged()).error.message).toBe("Invalid result: a chunk of the stream is not a Uint8Array.");
});

test.each([
  ["of a call whose client has left", {}, true],
  ["of a call with @keep whose client has left", { keep: true }, true],
  ["of a job whose time is over", { timeout: 50 }, false],
] as const)("a file that nobody reads is closed: %s", async (_, definition, leaves) => {
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let file: ReadStream | undefined;
  const open = async (): Promise<BinaryResult> => {
    begun.resolve();
    await goOn.promise;
    return new BinaryResult((file = createReadStream(import.meta.filename)), "text/plain");
  };
  const server = await serve([fakeTool(open, { resultKind: "binary", definition })]);
  onTestFinished(() => server.stop());
  const leaving = new AbortController();
  const body = "{}";
  const headers = { "content-type": "application/json" };
  const call = fetch(`${server.url}/tool`, { method: "POST", headers, body, signal: leaving.signal });
  await begun.promise;
  if (leaves) leaving.abort();
  await call.catch(() => {});
  // An answered request behind it shows that the server has seen the end of the connection.
  for (let round = 0; round < 3; round++) await server.get("/healthz");
  goOn.resolve();
  await expect.poll(() => file?.closed, { timeout: 5000 }).toBe(true);
});
