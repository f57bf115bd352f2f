import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { context, SpanStatusCode } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLlmClient } from "../../../../../runtime/outside/llm/llm-client.ts";
import type { LlmClient } from "../../../../../runtime/outside/llm/openai-types.ts";
import { modelCallStarter } from "../../../../../runtime/telemetry/spans/model/model-calls.ts";
import { importOpenaiFrom, openaiVersions } from "../../../../support/openai-versions.ts";
import { recordedJob } from "../../../../../runtime/kits/testing/index.ts";

const usage = {
  prompt_tokens: 12,
  completion_tokens: 5,
  total_tokens: 17,
  prompt_tokens_details: { cached_tokens: 8 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
const call = { id: "call-1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } };
const chunk = { id: "chat-1", object: "chat.completion.chunk", model: "m-2026" };
const response = {
  id: "resp-1",
  object: "response",
  model: "m-2026",
  status: "incomplete",
  incomplete_details: { reason: "max_output_tokens" },
  service_tier: "flex",
  output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Good day" }] }],
  usage: { input_tokens: 4, output_tokens: 2, input_tokens_details: { cached_tokens: 1 } },
};
const events = [
  { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: "Good " } }] },
  { ...chunk, choices: [{ index: 0, delta: { content: "day" } }] },
  { ...chunk, choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }] },
  { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  { ...chunk, choices: [], usage },
];
const whole = {
  ...chunk,
  object: "chat.completion",
  system_fingerprint: "fp",
  service_tier: "default",
  choices: [
    { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Good day", tool_calls: [call] } },
    { index: 1, finish_reason: "length", message: { role: "assistant", content: "Bye" } },
  ],
  usage,
};
const answers: Readonly<Record<string, unknown>> = {
  "/v1/chat/completions": whole,
  "/v1/responses": response,
  "/v1/completions": { id: "text-1", model: "m", choices: [{ index: 0, text: "Good", finish_reason: "stop" }] },
  "/v1/embeddings": { object: "list", model: "e", data: [], usage: { prompt_tokens: 6, total_tokens: 6 } },
};

let server: Server;
let baseURL: string;
beforeAll(async () => {
  server = createServer((request, answer) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(pieces).toString() || "{}") as Readonly<Record<string, unknown>>;
      if (body["model"] === "refused") {
        answer.writeHead(429, { "content-type": "application/json", "x-should-retry": "false" });
        answer.end(JSON.stringify({ error: { message: "you said CANARY", code: "rate_limit_exceeded" } }));
      } else if (typeof body["user"] === "string") {
        answer.writeHead(400, { "content-type": "application/json" });
        answer.end(JSON.stringify({ error: { message: "no", code: body["user"] } }));
      } else if (body["model"] === "half") {
        answer.writeHead(200, { "content-type": "application/json" });
        answer.end('{"id":');
      } else if (body["model"] === "named") {
        answer.writeHead(200, { "content-type": "application/json" });
        answer.end(JSON.stringify({ ...whole, model: "you said CANARY" }));
      } else if (body["stream"] === true) {
        answer.writeHead(200, { "content-type": "text/event-stream" });
        const list = request.url === "/v1/responses" ? [{ type: "response.completed", response }] : events;
        for (const event of list) answer.write(`data: ${JSON.stringify(event)}\n\n`);
        if (body["model"] === "broken") answer.write("data: {broken\n\n");
        answer.end("data: [DONE]\n\n");
      } else {
        answer.writeHead(200, { "content-type": "application/json" });
        answer.end(JSON.stringify(answers[request.url ?? ""] ?? { object: "list", data: [] }));
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const spanExporter = new InMemorySpanExporter();
const tracer = new TracerProvider({
  spanProcessors: [new SimpleSpanProcessor({ exporter: spanExporter })],
}).getTracer("test");
const metricExporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const meterProvider = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 1e6 })],
});
const meter = meterProvider.getMeter("test");
afterAll(() => meterProvider.shutdown());

let open: Set<{ end(): void }>;
beforeEach(async () => {
  open = new Set();
  spanExporter.reset();
  await meterProvider.forceFlush();
  metricExporter.reset();
});

async function client(captures = false): Promise<LlmClient> {
  const starter = modelCallStarter({
    tracer,
    meter,
    captures,
    current: () => context.active(),
    token: () => "t",
    open,
  });
  return createLlmClient(recordedJob().job, { apiKey: "k", baseURL, maxRetries: 0 }, {}, starter);
}

async function onlySpan(): Promise<ReadableSpan> {
  await expect.poll(() => spanExporter.getFinishedSpans()).toHaveLength(1);
  const [span] = spanExporter.getFinishedSpans();
  if (span === undefined) throw new Error("There is no span.");
  return span;
}

/** Attributes of each value by the name of its metric. */
async function metrics(): Promise<Readonly<Record<string, readonly unknown[]>>> {
  await meterProvider.forceFlush();
  const all = metricExporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  return Object.fromEntries(
    all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints.map(({ attributes }) => attributes)]),
  );
}

const hello = [{ role: "user" as const, content: "CANARY-question" }];

describe.each(openaiVersions)("with openai %i", (_, path) => {
  importOpenaiFrom(path);

  test("a chat: request, answer and tokens by the conventions, and none of its contents", async () => {
    const llm = await client();
    const { data, response: raw } = await llm.chat.completions
      .create({
        model: "m",
        messages: hello,
        n: 2,
        seed: 4,
        temperature: 0.5,
        top_p: 0.9,
        max_completion_tokens: 50,
        stop: "END",
        response_format: { type: "json_object" },
        service_tier: "flex",
      })
      .withResponse();
    expect([raw.status, data.choices[0]?.message.content]).toEqual([200, "Good day"]);
    const span = await onlySpan();
    expect([span.name, span.kind, span.status.code]).toEqual(["chat m", 2, SpanStatusCode.UNSET]);
    expect(span.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "openai.api.type": "chat_completions",
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(baseURL).port),
      "gen_ai.request.model": "m",
      "gen_ai.request.choice.count": 2,
      "gen_ai.request.seed": 4,
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.top_p": 0.9,
      "gen_ai.request.max_tokens": 50,
      "gen_ai.request.stop_sequences": ["END"],
      "gen_ai.output.type": "json",
      "openai.request.service_tier": "flex",
      "gen_ai.response.id": "chat-1",
      "gen_ai.response.model": "m-2026",
      "gen_ai.response.finish_reasons": ["stop", "length"],
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.usage.cache_read.input_tokens": 8,
      "gen_ai.usage.reasoning.output_tokens": 3,
      "openai.response.service_tier": "default",
      "openai.response.system_fingerprint": "fp",
    });
    const common = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "m",
      "gen_ai.response.model": "m-2026",
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(baseURL).port),
    };
    expect(await metrics()).toEqual({
      "gen_ai.client.operation.duration": [common],
      "gen_ai.client.token.usage": [
        { ...common, "gen_ai.token.type": "input" },
        { ...common, "gen_ai.token.type": "output" },
      ],
    });
    expect(open.size).toBe(0);
  });

  test("a stream ends the span when it has been read, and stays a stream", async () => {
    const llm = await client(true);
    const body = { model: "m", messages: hello, stream: true as const, stream_options: { include_usage: true } };
    const [left, right] = (await llm.chat.completions.create(body)).tee();
    const pieces: unknown[] = [];
    for await (const piece of left) pieces.push(piece.choices[0]?.delta.content);
    expect(pieces.slice(0, 2)).toEqual(["Good ", "day"]);
    expect(await new Response(right.toReadableStream()).text()).toContain('"Good "');
    const { attributes } = await onlySpan();
    expect(attributes).toMatchObject({
      "gen_ai.request.stream": true,
      "gen_ai.response.finish_reasons": ["tool_calls"],
      "gen_ai.usage.output_tokens": 5,
    });
    expect(attributes["gen_ai.response.time_to_first_chunk"]).toBeGreaterThan(0);
    expect(JSON.parse(String(attributes["gen_ai.output.messages"]))).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "text", content: "Good day" },
          { type: "tool_call", id: "call-1", name: "weather", arguments: { city: "Paris" } },
        ],
        finish_reason: "tool_call",
      },
    ]);
    expect(Object.keys(await metrics())).toContain("gen_ai.client.operation.time_to_first_chunk");
  });

  test("the client's helper for streams; a loop that is left early", async () => {
    const llm = await client();
    const helped = llm.chat.completions.stream({ model: "m", messages: hello });
    expect((await helped.finalChatCompletion()).choices[0]?.message.content).toBe("Good day");
    expect((await onlySpan()).attributes["gen_ai.response.id"]).toBe("chat-1");
    spanExporter.reset();
    for await (const _piece of await llm.chat.completions.create({ model: "m", messages: hello, stream: true })) break;
    expect((await onlySpan()).attributes["gen_ai.response.finish_reasons"]).toBeUndefined();
  });

  test("responses, whole and as a stream; texts and vectors", async () => {
    const llm = await client(true);
    await llm.responses.create({ model: "m", input: "CANARY-question", instructions: "Be brief." });
    const { name, attributes } = await onlySpan();
    expect(name).toBe("chat m");
    expect(attributes).toMatchObject({
      "openai.api.type": "responses",
      "gen_ai.response.finish_reasons": ["max_output_tokens"],
      "gen_ai.usage.input_tokens": 4,
      "gen_ai.usage.cache_read.input_tokens": 1,
      "gen_ai.system_instructions": '[{"type":"text","content":"Be brief."}]',
      "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"CANARY-question"}]}]',
      "gen_ai.output.messages":
        '[{"role":"assistant","parts":[{"type":"text","content":"Good day"}],"finish_reason":"length"}]',
    });
    spanExporter.reset();
    for await (const _event of await llm.responses.create({ model: "m", input: "hi", stream: true }));
    expect((await onlySpan()).attributes).toMatchObject({ "gen_ai.usage.output_tokens": 2 });
    spanExporter.reset();
    await llm.embeddings.create({ model: "e", input: "CANARY", dimensions: 3, encoding_format: "float" });
    const vectors = await onlySpan();
    expect(vectors.name).toBe("embeddings e");
    expect(vectors.attributes).toMatchObject({
      "gen_ai.usage.input_tokens": 6,
      "gen_ai.embeddings.dimension.count": 3,
      "gen_ai.request.encoding_formats": ["float"],
    });
    expect(JSON.stringify(vectors.attributes)).not.toContain("CANARY");
    spanExporter.reset();
    await llm.completions.create({ model: "m", prompt: "once" });
    expect((await onlySpan()).name).toBe("text_completion m");
    await llm.models.list();
    expect(spanExporter.getFinishedSpans()).toHaveLength(1);
  });

  test("errors: the provider's code, a lost connection, a stream that breaks; never a message", async () => {
    const llm = await client();
    await expect(llm.chat.completions.create({ model: "refused", messages: hello })).rejects.toThrow("CANARY");
    const span = await onlySpan();
    expect(span.attributes["error.type"]).toBe("rate_limit_exceeded");
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(JSON.stringify([span.attributes, span.events])).not.toContain("CANARY");
    expect((await metrics())["gen_ai.client.operation.duration"]).toMatchObject([
      { "error.type": "rate_limit_exceeded" },
    ]);
    spanExporter.reset();
    const broken = await llm.chat.completions.create({ model: "broken", messages: hello, stream: true });
    await expect(
      (async () => {
        for await (const _piece of broken);
      })(),
    ).rejects.toThrow(SyntaxError);
    expect((await onlySpan()).attributes["error.type"]).toBe("SyntaxError");
    spanExporter.reset();
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const lost = llm.withOptions({ baseURL: `http://127.0.0.1:${port}/v1` });
    await expect(lost.chat.completions.create({ model: "m", messages: hello })).rejects.toThrow("Connection error");
    expect((await onlySpan()).attributes["error.type"]).toBe("ECONNREFUSED");
  });

  test("a code or a model that is no short name is no label, and no more than a hundred codes are", async () => {
    const llm = await client();
    const ask = (user: string): Promise<unknown> =>
      llm.chat.completions.create({ model: "m", messages: hello, user }).catch(() => undefined);
    await ask("you said CANARY");
    expect((await onlySpan()).attributes["error.type"]).toBe("400");
    await llm.chat.completions.create({ model: "named", messages: hello });
    await Promise.all(Array.from({ length: 120 }, (_none, index) => ask(`code-${index}`)));
    const values = (await metrics())["gen_ai.client.operation.duration"] ?? [];
    expect(JSON.stringify(values)).not.toContain("CANARY");
    const types = values.flatMap((value) => (value as { readonly "error.type"?: string })["error.type"] ?? []);
    expect(types.length).toBeLessThanOrEqual(101);
    expect(types).toContain("400");
  });

  test("a 200 whose JSON is cut is a failure", async () => {
    const llm = await client();
    const asked = llm.chat.completions.create({ model: "half", messages: hello });
    await expect(asked).rejects.toThrow(SyntaxError);
    const span = await onlySpan();
    expect([span.status.code, span.attributes["error.type"]]).toEqual([SpanStatusCode.ERROR, "SyntaxError"]);
    expect((await metrics())["gen_ai.client.operation.duration"]).toMatchObject([{ "error.type": "SyntaxError" }]);
    spanExporter.reset();
    await expect(llm.embeddings.create({ model: "half", input: "" })).rejects.toThrow(SyntaxError);
    expect((await onlySpan()).attributes["error.type"]).toBe("SyntaxError");
  });

  test("a raw response is not read, and its span ends with the job at the time at which it came", async () => {
    const llm = await client();
    const raw = await llm.chat.completions.create({ model: "m", messages: hello }).asResponse();
    expect(raw.bodyUsed).toBe(false);
    expect(spanExporter.getFinishedSpans()).toEqual([]);
    const before = performance.timeOrigin + performance.now();
    await raw.text();
    for (const span of open) span.end();
    const { endTime } = await onlySpan();
    expect(endTime[0] * 1000 + endTime[1] / 1e6).toBeLessThanOrEqual(before + 1);
  });
});
