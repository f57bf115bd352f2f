import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { launchEntry, type EndedProcess } from "../support/launch.ts";
import { spansOf, type DecodedSpan } from "../support/otlp-decode.ts";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";
import { spanId, traceId, traceparent } from "../support/traced-caller.ts";

const entry = join(inject("bundledServices"), "telemetry.js");
const incoming = { traceparent, tracestate: "v=1" };

let sink: OtlpSink;
let target: Server;
let url: string;
let seen: IncomingHttpHeaders[];
beforeEach(async () => {
  sink = await startOtlpSink();
  seen = [];
  target = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(request.url?.startsWith("/missing") === true ? 404 : 200).end();
  });
  await new Promise<void>((resolve) => {
    target.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
});
afterEach(async () => {
  target.closeAllConnections();
  await new Promise((resolve) => target.close(resolve));
  await sink.close();
});

async function call(
  mode: "call" | "http",
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<EndedProcess> {
  const service = await launchEntry(entry, args, { TENON_ALLOWED_HOSTS: "localhost", ...env }).listening;
  expect((await service.post({ mode, text: url + path }, { ...incoming, prefer: "wait=60" })).status).toBe(200);
  return service.stop();
}

function spans(): Readonly<Record<string, DecodedSpan>> {
  return Object.fromEntries(
    sink
      .of("traces")
      .flatMap(({ body }) => spansOf(body))
      .map((span) => [span.name, span]),
  );
}

describe.each(["call", "http"] as const)("by %s", (mode) => {
  it("a client span below the step, and its context in the request", async () => {
    await call(mode, "/missing?token=CANARY", [], { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url });
    const { GET: client, "platform.event:call": step } = spans();
    expect(client).toMatchObject({
      traceId,
      parentSpanId: step?.spanId,
      kind: "SPAN_KIND_CLIENT",
      status: "STATUS_CODE_ERROR",
      attributes: {
        "http.request.method": "GET",
        "http.response.status_code": "404",
        "error.type": "404",
        "server.address": "127.0.0.1",
        "url.full": `${url}/missing?[redacted]`,
      },
    });
    expect(seen[0]).toMatchObject({ traceparent: `00-${traceId}-${client?.spanId}-01`, tracestate: "v=1" });
  });

  it("--without-telemetry: no client span, the step's context in the request", async () => {
    await call(mode, "/", ["--without-telemetry"], { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url });
    const { GET: client, "platform.event:call": step } = spans();
    expect(client).toBeUndefined();
    expect(seen[0]).toMatchObject({ traceparent: `00-${traceId}-${step?.spanId}-01`, tracestate: "v=1" });
  });

  it("telemetry off: the caller's context goes on unchanged", async () => {
    const { stderr } = await call(mode, "/", [], {});
    expect(seen[0]).toMatchObject(incoming);
    expect(stderr).toContain(`"trace_id":"${traceId}"`);
  });

  it("--with-telemetry without an endpoint: a warning, and a context of its own in the caller's trace", async () => {
    const { stderr } = await call(mode, "/", ["--with-telemetry"], {});
    expect(stderr).toContain(
      "--with-telemetry: outbound calls get a trace context, but there is no endpoint to export spans to.",
    );
    expect(seen[0]?.["traceparent"]).toMatch(new RegExp(`^00-${traceId}-(?!${spanId})[0-9a-f]{16}-01$`));
  });
});
