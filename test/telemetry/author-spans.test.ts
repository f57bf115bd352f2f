import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { fakeSidecar } from "../support/fake-sidecar.ts";
import { launchEntry } from "../support/launch.ts";
import { metricsOf, type DecodedSpan } from "../support/otlp-decode.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";
import { spanPaths, sunkSpans, traceId, traceparent } from "../support/traced-caller.ts";

const entry = (name: string): string => join(inject("bundledServices"), `${name}.js`);
const incoming = { traceparent, tracestate: "v=1", baggage: "tenant=blue,x=1;p=2" };

let sink: OtlpSink;
let target: Server;
let url: string;
let seen: IncomingHttpHeaders[];
beforeEach(async () => {
  sink = await startOtlpSink();
  seen = [];
  target = createServer((request, response) => {
    seen.push(request.headers);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "1", object: "chat.completion", model: "answered", choices: [] }));
  });
  await new Promise<void>((resolve) => void target.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
});
afterEach(async () => {
  target.closeAllConnections();
  await new Promise((resolve) => target.close(resolve));
  await sink.close();
});

const env = (): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
  TENON_ALLOWED_HOSTS: "localhost",
});

const spans = (of: OtlpSink = sink): readonly DecodedSpan[] => sunkSpans(of);
const paths = (all: readonly DecodedSpan[] = spans()): readonly string[] => spanPaths(all);

/** Those of `authorSpans` in the service, below its job. */
const below = (job: string): readonly string[] =>
  [
    job,
    `${job} > background`,
    `${job} > event:step`,
    `${job} > event:step > work`,
    `${job} > event:step > work > GET`,
    `${job} > event:step > work > deep`,
  ].toSorted();

describe("spans of an author hang below the job's and are exported with it", () => {
  it("REST: across await, timers and background work; baggage in and out; no secret", async () => {
    const service = await launchEntry(entry("telemetry"), [], env()).listening;
    const answer = await service.post({ mode: "author", text: url }, incoming);
    const { active, baggage } = (await answer.json()) as { readonly active: string; readonly baggage: string };
    expect((await service.stop()).code).toBe(0);
    expect(paths()).toEqual(below("caller > job"));
    const job = spans().find(({ name }) => name === "platform.job");
    expect([active, baggage]).toEqual([job?.spanId, "blue"]);
    const client = spans().find(({ name }) => name === "GET");
    expect(seen).toMatchObject([
      { traceparent: `00-${traceId}-${client?.spanId}-01`, tracestate: "v=1", baggage: "tenant=blue,x=1;p=2" },
    ]);
    const work = spans().find(({ name }) => name === "work");
    expect(work?.attributes).toEqual({ password: "[redacted]", input_tokens: "7" });
    expect(work?.events).toEqual([{ name: "found", attributes: { header: "Bearer [redacted]" } }]);
    const metrics = metricsOf(sink.of("metrics").at(-1)?.body ?? Buffer.alloc(0));
    expect(metrics["author.calls"]?.map(({ asDouble, asInt }) => Number(asInt ?? asDouble))).toEqual([1]);
    expect(sink.requests.map(({ body }) => body.toString("latin1")).join()).not.toContain("CANARY");
  });

  it("MCP: below the call, with context and baggage of _meta", async () => {
    const service = await launchEntry(entry("telemetry"), ["--with-mcp"], env()).listening;
    const params = { name: "work", arguments: { mode: "author", text: url }, _meta: incoming };
    const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    expect(await (await service.post(call, headers, "/mcp")).text()).toContain("blue");
    expect((await service.stop()).code).toBe(0);
    expect(paths()).toEqual(["caller > tools/call work", ...below("caller > tools/call work > job")].toSorted());
    expect(seen[0]).toMatchObject({ baggage: incoming.baggage });
  });

  it("a batch worker: below the job that the sidecar gives", async () => {
    const sidecar = await fakeSidecar();
    sidecar.add({ id: "b1", content: { mode: "author", text: url }, headers: incoming });
    const { ended } = launchEntry(entry("telemetry"), [], {
      ...env(),
      PLATFORM_BASE_URL: sidecar.url,
      AS_WORKER: "1",
    });
    await sidecar.until(() => sidecar.taken("result").length > 0);
    sidecar.finish();
    expect((await ended).code).toBe(0);
    await sidecar.close();
    expect(paths()).toEqual(below("caller > job"));
    expect(spans().find(({ name }) => name === "platform.job")?.kind).toBe("SPAN_KIND_CONSUMER");
    expect(seen[0]).toMatchObject({ baggage: incoming.baggage });
  });

  it("a language model: its span below the author's, its request below that, with the context, without contents", async () => {
    const service = await launchEntry(entry("telemetry"), [], env()).listening;
    const answer = await service.post({ mode: "llm", text: `${url}/v1` }, incoming);
    expect(await answer.json()).toEqual({ model: "answered" });
    await service.stop();
    expect(paths()).toEqual([
      "caller > job",
      "caller > job > ask",
      "caller > job > ask > chat m",
      "caller > job > ask > chat m > POST",
    ]);
    const client = spans().find(({ name }) => name === "POST");
    expect(seen[0]).toMatchObject({ traceparent: `00-${traceId}-${client?.spanId}-01`, baggage: incoming.baggage });
    const chat = spans().find(({ name }) => name === "chat m");
    expect(chat).toMatchObject({ kind: "SPAN_KIND_CLIENT", attributes: { "gen_ai.response.model": "answered" } });
    expect(Object.keys(chat?.attributes ?? {}).filter((name) => name.endsWith(".messages"))).toEqual([]);
    const metrics = metricsOf(sink.of("metrics").at(-1)?.body ?? Buffer.alloc(0));
    expect(metrics["gen_ai.client.operation.duration"]).toMatchObject([
      { attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" } },
    ]);
  });

  it.each([
    ["true", ["gen_ai.input.messages", "gen_ai.output.messages"]],
    ["everything", []],
  ])("contents of a language model by the standard variable: %s", async (wanted, names) => {
    const variable = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
    const service = await launchEntry(entry("telemetry"), [], { ...env(), [variable]: wanted }).listening;
    await service.post({ mode: "llm", text: `${url}/v1` }, incoming);
    const { stderr } = await service.stop();
    const { attributes = {} } = spans().find(({ name }) => name === "chat m") ?? {};
    expect(Object.keys(attributes).filter((name) => name.endsWith(".messages"))).toEqual(names);
    expect(stderr.includes(`${variable}: \\"everything\\" is ignored`)).toBe(wanted === "everything");
  });

  it("--without-telemetry: no span of a language model, but its metrics", async () => {
    const service = await launchEntry(entry("telemetry"), ["--without-telemetry"], env()).listening;
    await service.post({ mode: "llm", text: `${url}/v1` }, incoming);
    await service.stop();
    expect(paths()).toEqual(["caller > job", "caller > job > ask"]);
    const metrics = metricsOf(sink.of("metrics").at(-1)?.body ?? Buffer.alloc(0));
    expect(metrics["gen_ai.client.operation.duration"]).toHaveLength(1);
  });
});

it("a job that another process takes up has context and baggage of its caller", async () => {
  const folder = temporaryFolder();
  const kept = { ...env(), TENON_STORE: `sqlite:${join(folder, "jobs.db")}` };
  const arrived = Promise.withResolvers<void>();
  target.prependOnceListener("request", () => arrived.resolve());
  const first = await launchEntry(entry("telemetry"), [], { ...kept, HOLD: url }).listening;
  const held = await first.post(
    { mode: "hold", text: url },
    { ...incoming, "job-id": "kept", prefer: "respond-async" },
  );
  expect(held.status).toBe(202);
  await arrived.promise;
  await first.kill();
  const second = await launchEntry(entry("telemetry"), [], kept).listening;
  await expect.poll(() => seen.length, { interval: 20 }).toBe(2);
  expect(await (await fetch(`${second.url}/jobs/kept`, { headers: { prefer: "wait=30" } })).json()).toEqual({
    status: 200,
  });
  await second.stop();
  const again = spans().find(({ name }) => name === "GET");
  expect(seen[1]).toMatchObject({
    traceparent: `00-${traceId}-${again?.spanId}-01`,
    tracestate: incoming.tracestate,
    baggage: incoming.baggage,
  });
});

it("metrics alone: requests to a language model are measured", async () => {
  const service = await launchEntry(entry("telemetry"), [], { ...env(), OTEL_TRACES_EXPORTER: "none" }).listening;
  await service.post({ mode: "llm", text: `${url}/v1` }, incoming);
  await service.stop();
  const metrics = metricsOf(sink.of("metrics").at(-1)?.body ?? Buffer.alloc(0));
  expect(metrics["gen_ai.client.operation.duration"]).toHaveLength(1);
  expect(sink.of("traces")).toEqual([]);
  expect(seen[0]).toMatchObject(incoming);
});

it("without telemetry, context and baggage of the caller go on", async () => {
  const service = await launchEntry(entry("telemetry"), [], { TENON_ALLOWED_HOSTS: "localhost" }).listening;
  expect(await (await service.post({ mode: "author", text: url }, incoming)).json()).toEqual({});
  await service.stop();
  expect(seen[0]).toMatchObject(incoming);
});

describe("an author's own set-up", () => {
  // It exports each span by itself as it ends.
  const patience = { timeout: 120_000, interval: 20 };
  const setUp = `--import ${join(import.meta.dirname, "../support/own-otel.mjs")}`;

  it("gets all spans, also without a variable, and is not started again", async () => {
    const service = await launchEntry(entry("telemetry"), [], {
      TENON_ALLOWED_HOSTS: "localhost",
      NODE_OPTIONS: setUp,
      OWN_COLLECTOR: sink.url,
    }).listening;
    await service.post({ mode: "author", text: url }, incoming);
    await vi.waitFor(() => expect(paths()).toEqual(below("caller > job")), patience);
    expect((await service.stop()).code).toBe(0);
    expect(paths()).toEqual(below("caller > job"));
    expect(sink.of("metrics")).toEqual([]);
  });

  it("wins over an endpoint for the signal that it has; the others are ours", async () => {
    const own = await startOtlpSink();
    const service = await launchEntry(entry("telemetry"), [], {
      ...env(),
      NODE_OPTIONS: setUp,
      OWN_COLLECTOR: own.url,
    }).listening;
    await service.post({ mode: "author", text: url }, incoming);
    await vi.waitFor(() => expect(paths(spans(own))).toEqual(below("caller > job")), patience);
    await service.post({ mode: "log" });
    expect((await service.stop()).code).toBe(0);
    await own.close();
    expect(spans()).toEqual([]);
    expect([sink.of("metrics").length > 0, sink.of("logs").length > 0]).toEqual([true, true]);
  });

  it("with its instrumentation of fetch: one span and one context for a request", async () => {
    const service = await launchEntry(entry("telemetry"), [], {
      TENON_ALLOWED_HOSTS: "localhost",
      NODE_OPTIONS: setUp,
      OWN_COLLECTOR: sink.url,
      OWN_UNDICI: "1",
    }).listening;
    await service.post({ mode: "author", text: url }, incoming);
    await vi.waitFor(() => expect(spans()).toHaveLength(6), patience);
    expect((await service.stop()).code).toBe(0);
    const client = spans().filter(({ name }) => name === "GET");
    expect(client).toHaveLength(1);
    expect(client[0]?.attributes).toMatchObject({ by: "the author" });
    expect(seen[0]?.["traceparent"]).toBe(`00-${traceId}-${client[0]?.spanId}-01`);
  });
});
