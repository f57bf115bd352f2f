import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../runtime/client/create-client.ts";
import { fixedClient, type ClientOptions } from "../../runtime/client/fixed-client.ts";
import { connect } from "../../runtime/client/mcp/connect.ts";
import { CallError } from "../../runtime/client/call-error.ts";
import { serverSentEvents } from "../../runtime/contract/event-stream.ts";
import type { ToolClient } from "../../runtime/client/tool-client.ts";
import type { ToolFacts } from "../../runtime/client/transport.ts";

/** Servers at the other end of a client that answer what no service would. */

const json = { "content-type": "application/json" };
const eventStream = { "content-type": "text/event-stream" };
const facts: ToolFacts = { name: "tool", path: "/tool", kind: "json", isRepeatable: true };

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function toolAt(
  url: string,
  more: Partial<ClientOptions> & { readonly facts?: Partial<ToolFacts> } = {},
): ToolClient<unknown, unknown> {
  const options = { url, retry: { delay: 1, limit: 2 }, ...more };
  return fixedClient<{ tool: ToolClient<unknown, unknown> }>([{ ...facts, ...more.facts }], options).tool;
}

async function failureOf(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CallError);
  return error as CallError;
}

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])("%d to another host gets nothing of a call", async (status) => {
    const seen: IncomingMessage[] = [];
    const elsewhere = await listening((request, response) => {
      seen.push(request);
      response.end("{}");
    });
    const url = await listening((_, response) => response.writeHead(status, { location: `${elsewhere}/x` }).end());
    const tool = toolAt(url, {
      token: "t",
      headers: { "x-api-key": "k" },
      traceparent: () => `00-${"1".repeat(32)}-${"2".repeat(16)}-01`,
    });
    const failures = await Promise.all([
      failureOf(tool({}, { idempotencyKey: "key" })),
      failureOf(tool.start({})),
      failureOf(tool.job("j").result()),
      failureOf(tool.job("j").cancel()),
    ]);
    for (const { kind, message, status: told } of failures)
      expect([kind, message, told]).toEqual([
        "unexpected",
        expect.stringContaining(`redirects to ${elsewhere}/x`),
        status,
      ]);
    expect(seen).toHaveLength(0);
  });

  test("the same over MCP", async () => {
    const seen: IncomingMessage[] = [];
    const elsewhere = await listening((request, response) => {
      seen.push(request);
      response.end("{}");
    });
    const url = await listening((_, response) => response.writeHead(307, { location: elsewhere }).end());
    const client = connect({ url: `${url}/mcp`, token: "t", headers: { "x-api-key": "k" } }, undefined);
    await expect(client).rejects.toThrow(`redirects to ${elsewhere}`);
    expect(seen).toHaveLength(0);
  });
});

test("a service that answers 202 at once for ever is asked a few times a second", async () => {
  let asked = 0;
  const url = await listening((_, response) => {
    asked++;
    response.writeHead(202, { "job-id": "j" }).end();
  });
  const tool = toolAt(url, { retry: { delay: 50 } });
  await expect(tool({}, { timeout: 300 })).rejects.toMatchObject({ kind: "timed-out" });
  expect(asked).toBeLessThan(12);
});

test.each(["1000000000", "86400"])("Retry-After: %s is told and not waited for", async (seconds) => {
  const problem = { type: "urn:platform:problem:overloaded", detail: "Full." };
  const url = await listening((_, response) =>
    response.writeHead(503, { "retry-after": seconds }).end(JSON.stringify(problem)),
  );
  expect(await failureOf(toolAt(url)({}))).toMatchObject({ kind: "overloaded", retryAfter: Number(seconds) });
});

test.each([
  [
    "429 of a problem",
    429,
    { type: "urn:platform:problem:too-many-requests", detail: "Slow down." },
    "too-many-requests",
  ],
  ["503 of a proxy", 503, {}, "unexpected"],
])("Retry-After with a date is told and not waited for: %s", async (_, status, body, kind) => {
  let asked = 0;
  const url = await listening((_request, response) => {
    asked++;
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    response.writeHead(status, { "retry-after": date }).end(JSON.stringify(body));
  });
  const failure = await failureOf(toolAt(url)({}));
  expect([failure.kind, asked]).toEqual([kind, 1]);
  expect(failure.retryAfter).toBeGreaterThan(3590);
  expect(failure.retryAfter).toBeLessThanOrEqual(3600);
});

test.each(["-5", "Thu, 01 Jan 1970 00:00:00 GMT", "NaN", "soon"])("Retry-After: %j counts as none", async (text) => {
  const url = await listening((_, response) => response.writeHead(503, { "retry-after": text }).end("{}"));
  expect(await failureOf(toolAt(url)({}))).toMatchObject({ retryAfter: undefined });
});

test("a job that asks for a pause of days is asked for once a minute", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const fetch = async (): Promise<Response> =>
    ++asked < 4
      ? new Response(null, { status: 202, headers: { "retry-after": "999999" } })
      : new Response("1", { headers: json });
  const result = toolAt("http://127.0.0.1:1", { fetch }).job("j").result();
  await vi.advanceTimersByTimeAsync(150_000);
  expect(asked).toBe(3);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await result).toBe(1);
});

describe("an answer that comes slowly", () => {
  /** A stream with a piece every so many milliseconds; it breaks behind the last one, or ends if there is an `end`. */
  function slowly(piece: string, every: number, count: number, signal: AbortSignal | null, end?: string): Response {
    let timer: NodeJS.Timeout;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        let n = 0;
        timer = setInterval(() => {
          if (++n <= count) return controller.enqueue(Buffer.from(piece));
          clearInterval(timer);
          if (end === undefined) return controller.error(new TypeError("terminated"));
          controller.enqueue(Buffer.from(end));
          controller.close();
        }, every);
        signal?.addEventListener("abort", () => {
          clearInterval(timer);
          controller.error(signal.reason);
        });
      },
      cancel: () => clearInterval(timer),
    });
    return new Response(body, { headers: piece === " " ? json : eventStream });
  }
  const withFakeTimers = (): void => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  };
  const url = "http://127.0.0.1:1";

  test("a result is read as long as there are pieces of it", async () => {
    withFakeTimers();
    let asked = 0;
    const fetch = async (_: string, { signal }: RequestInit): Promise<Response> => {
      asked++;
      return slowly(" ", 40_000, 10, signal ?? null, "[1]");
    };
    const result = toolAt(url, { fetch }).job("j").result();
    await vi.advanceTimersByTimeAsync(500_000);
    expect([await result, asked]).toEqual([[1], 1]);
  });

  test("events of a silent job go on, however often a proxy cuts their stream", async () => {
    withFakeTimers();
    const last = 'data: {"type":"platform.job.status","data":{"status":"succeeded"}}\n\n';
    let asked = 0;
    const fetch = async (_: string, { signal }: RequestInit): Promise<Response> =>
      slowly(":\n\n", 15_000, 2, signal ?? null, ++asked === 12 ? last : undefined);
    const end = toolAt(url, { fetch }).job("j").events().next();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect([await end, asked]).toEqual([{ done: true, value: undefined }, 12]);
  });

  test("streams that end at once, or have nothing, are failures", async () => {
    withFakeTimers();
    for (const [every, count] of [
      [1, 2],
      [60_000, 0],
    ] as const) {
      let asked = 0;
      const fetch = async (_: string, { signal }: RequestInit): Promise<Response> => {
        asked++;
        return slowly(":\n\n", every, count, signal ?? null);
      };
      const failure = failureOf(toolAt(url, { fetch }).job("j").events().next());
      await vi.advanceTimersByTimeAsync(1_000_000);
      expect([(await failure).kind, asked]).toEqual(["unreachable", 3]);
    }
  });

  test("streams that are silent after their first data are failures", async () => {
    withFakeTimers();
    let asked = 0;
    const fetch = async (_: string, { signal }: RequestInit): Promise<Response> => {
      asked++;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from(":\n\n"));
          signal?.addEventListener("abort", () => controller.error(signal.reason));
        },
      });
      return new Response(body, { headers: eventStream });
    };
    const failure = failureOf(toolAt(url, { fetch }).job("j").events().next());
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect([(await failure).kind, asked]).toEqual(["unreachable", 3]);
  });
});

test("a job whose id a gateway hides in the header is waited for", async () => {
  const url = await listening((request, response) => {
    const isCall = request.method === "POST";
    response.writeHead(isCall ? 202 : 200, { "content-type": "application/json" });
    response.end(isCall ? '{"job-id":"urn:platform:job:j","status":"pending"}' : JSON.stringify(request.url));
  });
  expect(await toolAt(url)({})).toBe("/jobs/j");
  expect(await toolAt(url, { facts: { kind: "binary" } })({})).toBeInstanceOf(Blob);
});

test.each(["{}", "[]", "null", '{"job-id":7}'])("a job without an id is unexpected: %s", async (body) => {
  const url = await listening((_, response) => response.writeHead(202).end(body));
  expect(await failureOf(toolAt(url)({}))).toMatchObject({
    kind: "unexpected",
    message: "/tool answered without a job id.",
  });
});

describe("what leaves the routes of jobs is not sent", () => {
  test.each(["", "urn:platform:job:", ".", "..", "urn:platform:job:.."])("the id %j", async (id) => {
    const seen: unknown[] = [];
    const fetch = async (url: string): Promise<Response> => new Response(null, { status: seen.push(url) && 202 });
    const job = toolAt("http://127.0.0.1:1/mounted", { fetch }).job(id);
    const calls = [job.result(), job.cancel(), job.send("m", {}), job.events().next()];
    for (const failure of await Promise.all(calls.map(failureOf)))
      expect(failure).toMatchObject({ kind: "unexpected", message: `"${id}" is not the id of a job.` });
    expect(seen).toEqual([]);
  });

  test("the name of a message", async () => {
    const fetch = async (): Promise<Response> => new Response("{}", { headers: json });
    const job = toolAt("http://127.0.0.1:1", { fetch }).job("j");
    for (const name of ["", ".."]) expect(await failureOf(job.send(name, {}))).toMatchObject({ kind: "unexpected" });
    await job.send("...", {});
  });

  test.each(["//elsewhere.test/x", "/../x", "/%2E%2e/x", "/a/.", "x"])("the path %j of a definition", async (path) => {
    const tool = toolAt("http://127.0.0.1:1", { facts: { path } });
    expect(await failureOf(tool({}))).toMatchObject({ kind: "unexpected" });
  });

  test("the id of an answer", async () => {
    const seen: unknown[] = [];
    const url = await listening(({ method, url: at }, response) => {
      seen.push(`${method} ${at}`);
      response.writeHead(202, json).end('{"job-id":".."}');
    });
    expect(await failureOf(toolAt(url)({}))).toMatchObject({ kind: "unexpected" });
    expect(seen).toEqual(["POST /tool"]);
  });

  test("half a surrogate pair is an id that no job has", async () => {
    const url = await listening((_, response) =>
      response.writeHead(404).end('{"type":"urn:platform:problem:not-found","detail":"No."}'),
    );
    expect(await failureOf(toolAt(url).job("\ud800").result())).toMatchObject({ kind: "lost" });
  });
});

describe("an answer of another type", () => {
  const kinds: readonly ToolFacts["kind"][] = ["json", "text", "bytes", "content", "none"];

  test.each([
    ["a page", 200, { "content-type": "text/html" }, "<p>Log in.</p>", "text/html"],
    ["nothing", 204, {}, undefined, "no content type"],
  ])("%s is unexpected", async (_, status, headers, body, told) => {
    const url = await listening((_request, response) => response.writeHead(status, headers).end(body));
    const calls = kinds.map((kind) => toolAt(url, { facts: { kind } })({}));
    const { result, events } = toolAt(url).job("j");
    // For a job, 204 says that it has not ended, and for events that there are no more.
    if (status === 200) calls.push(result(), events().next());
    for (const failure of await Promise.all(calls.map(failureOf)))
      expect(failure).toMatchObject({
        kind: "unexpected",
        status,
        message: expect.stringContaining(`answered ${status} with ${told}`),
      });
  });

  test("of binary content, any type is a Blob", async () => {
    const url = await listening((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"));
    const blob = (await toolAt(url, { facts: { kind: "binary" } })({})) as Blob;
    expect([blob.type, await blob.text()]).toEqual(["text/html", "<p>"]);
  });

  test("is not read when it has no end", async () => {
    const url = await listening((request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      Readable.from(
        (function* () {
          for (;;) yield "<p>";
        })(),
      ).pipe(response);
      request.on("close", () => response.destroy());
    });
    expect(await failureOf(toolAt(url)({}))).toMatchObject({ kind: "unexpected", status: 200 });
  });
});

test.each([
  ["errors that are null", { type: "urn:platform:problem:validation", errors: [null] }],
  ["errors without texts", { type: "urn:platform:problem:validation", errors: [{}] }],
  ["errors that are no list", { type: "urn:platform:problem:validation", errors: { map: 1 } }],
  ["a detail without a text", { type: "urn:platform:problem:system", detail: { toString: null } }],
  ["a kind with control characters", { type: "urn:platform:problem:\u001b[31m" }],
  ["a kind of prototypes", { type: "urn:platform:problem:__proto__" }],
  ["a type that is no text", { type: { toString: 1 } }],
  ["null", null],
])("a problem with %s is unexpected, and not sent for again", async (_, body) => {
  let asked = 0;
  const url = await listening((_request, response) => {
    asked++;
    response.writeHead(422, { "content-type": "application/problem+json" }).end(JSON.stringify(body));
  });
  const failure = await failureOf(toolAt(url)({}));
  expect(failure).toMatchObject({
    kind: "unexpected",
    status: 422,
    message: expect.stringContaining("answered 422 with application/problem+json"),
  });
  expect(asked).toBe(1);
});

test.each(["null", "{}", '{"tools":{}}', '{"tools":[null]}'])(
  "a definition that is none is unexpected: %s",
  async (body) => {
    const url = await listening((_, response) => response.writeHead(200, json).end(body));
    const { tool } = createClient<{ tool: () => void }>({ url, retry: { delay: 1, limit: 2 } });
    expect(await failureOf(tool())).toMatchObject({
      kind: "unexpected",
      message: `${url}/service.json is not a service definition.`,
    });
  },
);

test("an answer that is cut is told with its whole address", async () => {
  const url = await listening((_, response) => {
    response.writeHead(200, { ...json, "content-length": "9" }).write("1");
    setImmediate(() => response.destroy());
  });
  const cut = { kind: "unreachable", message: expect.stringContaining(`${url}/tool cannot be reached: `) };
  expect(await failureOf(toolAt(url)({}))).toMatchObject(cut);
});

test("a body without an end is cut", async () => {
  const megabyte = Buffer.alloc(1024 * 1024, " ");
  const url = await listening((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = (): void => {
      while (!response.destroyed && response.write(megabyte));
    };
    response.on("drain", more);
    more();
  });
  expect(await failureOf(toolAt(url)({}))).toMatchObject({
    kind: "unexpected",
    message: expect.stringContaining("exceeds 64 MiB"),
  });
});

test.each([
  ["no JSON", "{", "unexpected"],
  ["nothing", "", "unexpected"],
])("%s instead of a result is unexpected, and not sent for again", async (_, body, kind) => {
  let asked = 0;
  const url = await listening((_request, response) => {
    asked++;
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  expect(await failureOf(toolAt(url)({}))).toMatchObject({ kind });
  expect(asked).toBe(1);
});

test("a result that is nested a hundred thousand deep is a failure of the call", async () => {
  const body = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  const url = await listening((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(body),
  );
  const plan = { root: { ref: "tree" }, named: { tree: { keys: { a: { ref: "tree" } } } } };
  expect(await failureOf(toolAt(url, { facts: { plan } })({}))).toMatchObject({ kind: "unexpected" });
});

test("keys of prototypes stay keys", async () => {
  const url = await listening((_, response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end('{"__proto__":{"polluted":1},"constructor":2,"a":1,"a":2}'),
  );
  const result = (await toolAt(url, { facts: { plan: { root: { keys: { a: "Date" } } } } })({})) as Record<
    string,
    unknown
  >;
  expect(Object.entries(result)).toEqual([
    ["__proto__", { polluted: 1 }],
    ["constructor", 2],
    ["a", 2],
  ]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

describe("event streams", () => {
  function streamOf(pieces: Iterable<string>): ReadableStream<Uint8Array> {
    const all = pieces[Symbol.iterator]();
    return new ReadableStream({
      pull(controller) {
        const { done, value } = all.next();
        if (done === true) controller.close();
        else controller.enqueue(Buffer.from(value));
      },
    });
  }
  function* endless(text: string, times: number): Generator<string> {
    for (let time = 0; time < times; time++) yield text;
  }

  test("an event without an end is cut", async () => {
    const url = await listening((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      Readable.from(endless("x".repeat(65_536), 2000)).pipe(response);
    });
    await expect(toolAt(url).job("j").events().next()).rejects.toMatchObject({
      kind: "unexpected",
      message: expect.stringContaining("exceeds 64 MiB"),
    });
  });

  test("a long event takes as long as it is long", async () => {
    const pieces = ["data: ", ...endless("x".repeat(100), 100_000), "\r", "\n\r", "\ndata: y\n", "\n"];
    const began = process.cpuUsage();
    const found: number[] = [];
    for await (const { data } of serverSentEvents(streamOf(pieces))) found.push(data.length);
    expect(found).toEqual([10_000_000, 1]);
    expect(process.cpuUsage(began).user).toBeLessThan(3_000_000);
  });

  test("events that come again and again are failures, and not told twice", async () => {
    let asked = 0;
    const url = await listening((_, response) => {
      const id = Math.min(++asked, 2);
      const data = JSON.stringify({ type: "platform.job.event", schema: "s", data: { id } });
      response.writeHead(200, eventStream).end(`id: 1\ndata: ${data}\n\nid: ${id}\ndata: ${data}\n\n`);
    });
    const found: number[] = [];
    const read = async (): Promise<void> => {
      for await (const { id } of toolAt(url).job("j").events()) found.push(id);
    };
    expect(await failureOf(read())).toMatchObject({ kind: "unreachable" });
    // One failure follows the first event, and three the second.
    expect([found, asked]).toEqual([[1, 2], 4]);
  });

  test("events without data end the reading", async () => {
    const url = await listening((_, response) =>
      response
        .writeHead(200, eventStream)
        .end('id: 1\ndata: {"type":"platform.job.event","schema":"s","data":null}\n\n'),
    );
    const { progress } = toolAt(url).job("j");
    expect(await failureOf(progress(() => {}))).toMatchObject({ kind: "unexpected", message: "An event has no data." });
  });

  test("events that are not JSON end the reading", async () => {
    let asked = 0;
    const url = await listening((_, response) => {
      asked++;
      response.writeHead(200, { "content-type": "text/event-stream" }).end("id: 1\ndata: {\n\n");
    });
    const events = toolAt(url).job("j").events();
    expect(await failureOf(events.next())).toMatchObject({ kind: "unexpected" });
    expect(asked).toBe(1);
  });
});
