import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { startRecorder, type Recorder } from "../outbound/harness/recorder.ts";
import { fakeSidecar } from "../support/fake-sidecar.ts";
import { launchEntry } from "../support/launch.ts";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const canary = (name: string): string => `CANARY-${name}-q7Zx9`;
let sink: OtlpSink;
let target: Recorder;
beforeEach(async () => {
  sink = await startOtlpSink();
  target = await startRecorder();
  target.answer = ({ method }, response) => {
    response.setHeader("content-type", "application/json");
    response.end(method === "POST" ? '{"id":"1","object":"chat.completion","model":"m","choices":[]}' : "{}");
  };
});
afterEach(async () => {
  await target.stop();
  await sink.close();
});

/** A path of the entry that only the command line has: Node follows the link for everything else. */
function entry(): string {
  const folder = join(temporaryFolder(), canary("argv"));
  symlinkSync(dirname(join(inject("bundledServices"), "telemetry.js")), folder);
  return join(folder, "telemetry.js");
}

const env = (): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: sink.url.replace("//", `//user:${canary("endpoint")}@`),
  OTEL_EXPORTER_OTLP_HEADERS: `x-team=${canary("otel-header")}`,
  OTEL_NODE_RESOURCE_DETECTORS: "all",
  PLAIN_NAME: canary("plain-variable"),
  SMTP_PASSWORD: canary("variable"),
  DATABASE_URL: `postgres://user:${canary("database")}@db/x`,
  LLM_API_KEY: canary("llm-key"),
  LLM_BASE_URL: `http://127.0.0.1:${target.port}`,
  TENON_ALLOWED_HOSTS: "localhost",
});
const baggage = `session=${canary("baggage")}`;
const headers = {
  authorization: `Bearer ${canary("bearer")}`,
  cookie: `session=${canary("cookie")}`,
  "x-forwarded-for": canary("client"),
  baggage,
};

/** Jobs that end well, that fail with a secret in the message, and that call an address with a secret in it. */
function inputs(): readonly object[] {
  return [
    { mode: "canary", text: canary("field"), password: canary("password-field") },
    { mode: "throw", text: `${canary("variable")} of postgres://user:${canary("database")}@db/x` },
    { mode: "call", text: `http://user:${canary("basic")}@127.0.0.1:${target.port}/?token=${canary("query")}` },
  ];
}

const call = (input: object, id: number): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "work", arguments: input, _meta: { baggage } },
});

/** Ways to give the jobs to a service; each resolves when it has ended. */
const modes: Readonly<Record<string, () => Promise<{ readonly code: number | null; readonly stderr: string }>>> = {
  async REST() {
    const service = await launchEntry(entry(), [], env()).listening;
    for (const input of inputs()) await service.post(input, headers, `/tool?token=${canary("query")}`);
    return service.stop();
  },
  async "MCP over HTTP"() {
    const service = await launchEntry(entry(), ["--with-mcp"], env()).listening;
    const more = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
    for (const [id, input] of inputs().entries())
      await (await service.post(call(input, id), { ...headers, ...more }, `/mcp?token=${canary("query")}`)).text();
    return service.stop();
  },
  async "MCP over stdio"() {
    const { ended, stdin, stdout } = launchEntry(entry(), ["--with-mcp-stdio"], env());
    for (const [id, input] of inputs().entries()) stdin.write(`${JSON.stringify(call(input, id))}\n`);
    await expect.poll(() => stdout().split("\n").length, { interval: 20 }).toBeGreaterThan(3);
    stdin.end();
    return ended;
  },
  async "a batch worker"() {
    const sidecar = await fakeSidecar();
    for (const [at, content] of inputs().entries())
      sidecar.add({ id: `b${at}`, content, token: `Bearer ${canary("bearer")}`, headers: { baggage } });
    const { ended } = launchEntry(entry(), [], { ...env(), PLATFORM_BASE_URL: sidecar.url, AS_WORKER: "1" });
    await sidecar.until(() => sidecar.taken("result").length === 3);
    sidecar.finish();
    const result = await ended;
    await sidecar.close();
    return result;
  },
};

test.each(Object.keys(modes))(
  "%s: none of the canaries is in traces, metrics, logs or what is printed",
  async (mode) => {
    const { code, stderr } = (await modes[mode]?.()) ?? { code: null, stderr: "" };
    expect(code).toBe(0);
    // The material must be there, or the search proves nothing.
    const asked = target.take();
    expect(asked.find(({ method }) => method === "POST")).toMatchObject({
      headers: { authorization: `Bearer ${canary("llm-key")}` },
      body: expect.stringContaining(canary("field")),
    });
    for (const signal of ["traces", "metrics", "logs"] as const) {
      const requests = sink.of(signal);
      expect(requests.length).toBeGreaterThan(0);
      expect(requests[0]?.headers["x-team"]).toBe(canary("otel-header"));
      for (const { body } of requests) expect(body.toString("latin1")).not.toContain("CANARY");
    }
    const traces = sink
      .of("traces")
      .map(({ body }) => body.toString("latin1"))
      .join("\n");
    for (const text of ["platform.job", "url.full", "inner [redacted]", "process.pid"]) expect(traces).toContain(text);
    expect(stderr).toContain("[redacted]");
    expect(stderr).not.toContain("CANARY");
  },
);
