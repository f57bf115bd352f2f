import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, expectTypeOf, test } from "vitest";
import {
  createClient,
  isCallError,
  type CallFailure,
  type ServiceAddress,
  type ServiceClient,
  type Transport,
} from "../../runtime/client/index.ts";
import { callRest } from "../../cli/call/call-rest.ts";
import { ValueError } from "../../runtime/base/errors.ts";
import { BinaryResult } from "../../runtime/job/binary-result.ts";
import { Content } from "../../runtime/job/content.ts";
import type { JobContext } from "../../runtime/executor/run/job-context.ts";
import { deferred, fakeTool } from "../support/fake-tool.ts";
import { serve, type TestServer } from "../support/serve.ts";

/** The functions as their author has them; the server has each as a tool made by hand. */
const functions = {
  echo: ({ text, times }: { text: string; times?: Date[] }) => ({ text, times: times ?? [] }),
  say: ({ text }: { text: string }): string => text,
  bytes: () => Buffer.from([0, 255]),
  picture: () => new BinaryResult("<svg/>", "image/svg+xml"),
  file: ({ text }: { text: string }) => new BinaryResult(`\uFEFF${text}`, text),
  pieces: () => [Content.text("one"), "two"],
  nothing(): void {},
  refuse({ text }: { text: string }): void {
    if (text !== "2") throw new ValueError("That is no prime.");
  },
  async slow({ text }: { text: string }, job: JobContext) {
    calls++;
    headers.push(job.jobId);
    await job.report.step("first", () => undefined);
    await gates.get(text)?.promise;
    await job.report.step("second", () => undefined);
    return { text };
  },
};
let calls = 0;
const headers: string[] = [];
const gates = new Map<string, PromiseWithResolvers<void>>();
const dates = { type: "array", items: { type: "string", format: "date-time", "x-type": "Date" } };
const idempotent = { annotations: { idempotentHint: true } };

let server: TestServer;
let client: ServiceClient<typeof functions>;
const quick: Pick<ServiceAddress, "retry"> = { retry: { delay: 1 } };
beforeAll(async () => {
  const at = (name: string): { readonly name: string; readonly path: string } => ({ name, path: `/tool/${name}` });
  server = await serve(
    [
      fakeTool(functions.echo, {
        ...at("echo"),
        request: { type: "object", properties: { text: { type: "string" }, times: dates }, required: ["text"] },
        result: { type: "object", properties: { text: { type: "string" }, times: dates } },
      }),
      fakeTool(functions.say, { ...at("say"), resultKind: "text" }),
      fakeTool(functions.bytes, { ...at("bytes"), resultKind: "bytes", request: null }),
      fakeTool(functions.picture, { ...at("picture"), resultKind: "binary", request: null }),
      fakeTool(functions.file, { ...at("file"), resultKind: "binary" }),
      fakeTool(functions.pieces, { ...at("pieces"), resultKind: "content", request: null }),
      fakeTool(functions.nothing, { ...at("nothing"), resultKind: "none", request: null }),
      fakeTool(functions.refuse, at("refuse")),
      fakeTool(functions.slow, { ...at("slow"), definition: idempotent, options: { maxWaitTime: 0 } }),
    ],
    {},
    { PLATFORM_SHUTDOWN_GRACE: "0" },
  );
  client = createClient<typeof functions>({ url: `${server.url}/`, ...quick });
});
afterAll(() => server.stop());

/** The failure of a call, with the type that narrows it. */
async function failureOf(call: Promise<unknown>): Promise<CallFailure> {
  const error = await call.then(
    () => new Error("It did not fail."),
    (error: unknown) => error,
  );
  if (isCallError(error)) return error;
  throw error;
}

function gate(name: string): PromiseWithResolvers<void> {
  const made = deferred();
  gates.set(name, made);
  return made;
}

test("each kind of result has the value of its type", async () => {
  const times = [new Date("2026-11-23T10:00:00.000Z")];
  const { text, times: answered } = await client.echo({ text: "é", times });
  expect([text, answered]).toEqual(["é", times]);
  expect(await client.say({ text: "plain" })).toBe("plain");
  expect(await client.bytes()).toEqual(new Uint8Array([0, 255]));
  const picture: Blob = await client.picture();
  expect([picture.type, await picture.text()]).toEqual(["image/svg+xml", "<svg/>"]);
  expect((await client.pieces()).content).toEqual([
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ]);
  expect(await client.nothing()).toBeUndefined();
});

test.each(["text/plain", "application/json", "text/csv"])("binary content of %s is as it was sent", async (type) => {
  const sent = new TextEncoder().encode(`\uFEFF${type}`);
  const job = await client.file.start({ text: type });
  for (const file of [await client.file({ text: type }), await job.result(), await client.file.job(job.id).result()]) {
    expect(file).toBeInstanceOf(Blob);
    expect([file.type, new Uint8Array(await file.arrayBuffer())]).toEqual([type, sent]);
  }
});

test.each(["text/plain", "application/json", "text/csv"])(
  "`tenon call` has content of %s as it was sent",
  async (type) => {
    const sent = new TextEncoder().encode(`\uFEFF${type}`);
    expect(await callRest(server.url, "file", { text: type }, () => {})).toMatchObject({ ok: true, bytes: sent });
  },
);

test("a promise of a client is the client, and its tools are always the same functions", async () => {
  expect(await Promise.resolve(client)).toBe(client);
  expect(client.echo).toBe(client.echo);
});

test("failures are told apart by their kind, with all problems of a request", async () => {
  const invalid = await failureOf(client.echo({ text: 7 } as never));
  if (invalid.kind !== "validation") throw invalid;
  expect(invalid.problems[0]).toMatchObject({ path: "/text", expected: "string" });
  expect(invalid.message).toContain("/text: ");
  expect(await failureOf(client.refuse({ text: "" }))).toMatchObject({
    kind: "user-input",
    status: 400,
    message: "That is no prime.",
    jobId: expect.stringMatching(/^urn:platform:job:/),
  });
  const other = createClient<{ gone: () => void }>({ url: server.url, ...quick });
  expect(await failureOf(other.gone())).toMatchObject({
    kind: "not-found",
    message: expect.stringMatching(/no tool "gone"\. Its tools: bytes, echo/),
  });
  const nobody = createClient<typeof functions>({ url: "http://127.0.0.1:1", retry: { delay: 1, limit: 2 } });
  expect(await failureOf(nobody.echo({ text: "" }))).toMatchObject({ kind: "unreachable", status: undefined });
  const page = createClient<typeof functions>({ url: `${server.url}/docs`, ...quick });
  expect((await failureOf(page.echo({ text: "" }))).kind).toBe("not-found");
});

test("a request that JSON cannot carry is a mistake in the program, told before it is sent", async () => {
  for (const [value, why] of [
    [NaN, "is NaN"],
    [new Date(NaN), "is an invalid Date"],
    [() => 1, "is a function"],
    [Promise.resolve(1), "is a promise that was not awaited"],
  ])
    await expect(client.echo({ text: value } as never)).rejects.toThrow(`"text" ${String(why)}`);
});

test("a call waits through 202 for its value; a signal ends it and cancels the job", async () => {
  const open = gate("waits");
  const waiting = client.slow({ text: "waits" });
  open.resolve();
  expect(await waiting).toEqual({ text: "waits" });

  gate("aborted");
  const stop = new AbortController();
  const before = calls;
  const call = client.slow({ text: "aborted" }, { signal: stop.signal });
  await expect.poll(() => calls).toBe(before + 1);
  const id = headers.at(-1)?.replace("urn:platform:job:", "") ?? "";
  await expect.poll(async () => (await server.get(`/jobs/${id}`)).status).toBe(202);
  const reason = new Error("Enough.");
  stop.abort(reason);
  await expect(call).rejects.toBe(reason);
  await expect.poll(async () => (await server.get(`/jobs/${id}`)).status).toBe(409);
});

test("a call has a time, and a job goes on when a wait for it ends", async () => {
  const open = gate("late");
  const job = await client.slow.start({ text: "late" });
  expect(await failureOf(job.result({ timeout: 1 }))).toMatchObject({ kind: "timed-out" });
  const hasty = createClient<typeof functions>({ url: server.url, timeout: 20, ...quick });
  expect(await failureOf(hasty.slow({ text: "late" }))).toMatchObject({ kind: "timed-out" });
  const known = hasty.slow.job(job.id);
  const read = async (): Promise<void> => {
    for await (const { schema } of known.events()) expect(schema).toContain("step");
  };
  for (const wait of [known.result(), known.progress(() => {}), read()])
    expect(await failureOf(wait)).toMatchObject({ kind: "timed-out" });
  const patient = hasty.slow({ text: "late" }, { timeout: Infinity });
  open.resolve();
  expect(await patient).toEqual({ text: "late" });
  expect(await client.slow.job(job.id).result()).toEqual({ text: "late" });
});

test("the time of progress is one for the reports and the result", async () => {
  const facts = { name: "slow", path: "/tool", kind: "text", isRepeatable: true } as const;
  const unused = async (): Promise<never> => Promise.reject(new Error("not called"));
  const transport: Transport = {
    tool: async () => facts,
    call: unused,
    start: unused,
    job: (_, id) => ({
      id,
      async *events(_after, signal) {
        yield { id: 1, schema: "urn:example:begun.1", data: await sleep(200, {}, { signal }) };
      },
      result: (signal) => sleep(200, { kind: "text", text: "late" } as const, { signal }),
      cancel: unused,
      send: unused,
    }),
  };
  const { slow } = createClient<typeof functions>({ transport });
  expect(await failureOf(slow.job("one").progress(() => {}, { timeout: 300 }))).toMatchObject({ kind: "timed-out" });
});

test("a handle has the events, from any of them on, the result, and cancels", async () => {
  const open = gate("handle");
  const job = await client.slow.start({ text: "handle" });
  const names: unknown[] = [];
  for await (const { id, schema, data } of job.events()) {
    names.push([id, schema.split(".").slice(-3, -1).join("."), data["name"]]);
    open.resolve();
  }
  expect(names).toEqual([
    [1, "step.start", "first"],
    [2, "step.finish", "first"],
    [3, "step.start", "second"],
    [4, "step.finish", "second"],
  ]);
  const later: number[] = [];
  for await (const { id } of client.slow.job(job.id).events({ after: 3 })) later.push(id);
  expect(later).toEqual([4]);
  expect(await job.result()).toEqual({ text: "handle" });
  await job.cancel();

  gate("cancelled");
  const other = await client.slow.start({ text: "cancelled" });
  await other.cancel();
  expect(await failureOf(other.result())).toMatchObject({ kind: "cancelled", status: 409 });
  expect(await failureOf(client.slow.job("nobody").result())).toMatchObject({ kind: "lost" });
});

test("calls with one key are one job", async () => {
  const before = calls;
  const key = { idempotencyKey: "once" };
  const [one, two] = await Promise.all([client.slow({ text: "key" }, key), client.slow({ text: "key" }, key)]);
  expect([one, two, calls - before]).toEqual([{ text: "key" }, { text: "key" }, 1]);
  expect(await failureOf(client.slow({ text: "other" }, key))).toMatchObject({ kind: "idempotency-conflict" });
});

test("a job that has ended before the answer has a handle, or its own failure", async () => {
  const key = { idempotencyKey: "quick" };
  const [one, two] = [await client.say.start({ text: "quick" }, key), await client.say.start({ text: "quick" }, key)];
  expect(two.id).toBe(one.id);
  expect(await one.result()).toBe("quick");
  const named = await client.say.start({ text: "named" });
  expect(await named.result()).toBe("named");

  await client.slow({ text: "over" }, { idempotencyKey: "over" });
  const over = await client.slow.start({ text: "over" }, { idempotencyKey: "over" });
  expect(await over.result()).toEqual({ text: "over" });

  const failure = await failureOf(client.refuse.start({ text: "1" }, { idempotencyKey: "refused" }));
  expect(failure).toMatchObject({ kind: "user-input", jobId: expect.stringMatching(/^urn:platform:job:/) });
});

test("a token is asked for with each call, and again when it is refused", async () => {
  const asked: boolean[] = [];
  const seen: unknown[] = [];
  const guarded = createClient<typeof functions>({
    url: server.url,
    definition: { tools: [{ name: "say", path: "/tool/say", "result-kind": "text" }] },
    token: async (isRefused) => `${asked.push(isRefused)}`,
    headers: { "x-own": "yes" },
    traceparent: () => "00-11111111111111111111111111111111-2222222222222222-01",
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      seen.push([url.slice(server.url.length), headers.get("authorization"), headers.get("traceparent")]);
      return headers.get("authorization") === "Bearer 1" ? new Response(null, { status: 401 }) : fetch(url, init);
    },
  });
  expect(await guarded.say({ text: "x" })).toBe("x");
  expect(asked).toEqual([false, true]);
  const trace = "00-11111111111111111111111111111111-2222222222222222-01";
  // The definition was given, so nothing else was asked for.
  expect(seen).toEqual([
    ["/tool/say", "Bearer 1", trace],
    ["/tool/say", "Bearer 2", trace],
  ]);
});

test("what a busy service refuses is sent again, whatever tool it is", async () => {
  const answers = [
    new Response(problem("overloaded"), { status: 503, headers: { "retry-after": "0" } }),
    new Response(problem("draining"), { status: 503 }),
    new Response("x", { headers: { "content-type": "text/plain" } }),
  ];
  const at = { url: server.url, ...quick };
  const busy = createClient<typeof functions>({ ...at, fetch: async () => answers.shift() ?? Response.error() });
  const definition = { tools: [{ name: "say", path: "/tool/say", "result-kind": "text" }] };
  const ready = createClient<typeof functions>({
    ...at,
    definition,
    fetch: async () => answers.shift() ?? Response.error(),
  });
  expect(await ready.say({ text: "x" })).toBe("x");
  expect(await failureOf(busy.say({ text: "x" }))).toMatchObject({ kind: "unexpected" });
});

function problem(kind: string): string {
  return JSON.stringify({ type: `urn:platform:problem:${kind}`, title: kind, status: 503, detail: kind });
}

test("the types of a client follow from the functions", () => {
  expectTypeOf(client.echo).parameter(0).toEqualTypeOf<{
    readonly text: string;
    readonly times?: readonly (Date | string)[];
  }>();
  expectTypeOf(client.echo).returns.resolves.toEqualTypeOf<{ text: string; times: Date[] }>();
  expectTypeOf(client.slow).returns.resolves.toEqualTypeOf<{ text: string }>();
  expectTypeOf(client.bytes).returns.resolves.toEqualTypeOf<Uint8Array>();
  expectTypeOf(client.picture).returns.resolves.toEqualTypeOf<Blob>();
  expectTypeOf(client.nothing).returns.resolves.toEqualTypeOf<undefined>();
  // @ts-expect-error -- a tool that the module does not have
  void client.other;
  // A client with `then` would be a promise.
  expectTypeOf<keyof ServiceClient<{ then: () => string; first: () => string }>>().toEqualTypeOf<"first">();
});
