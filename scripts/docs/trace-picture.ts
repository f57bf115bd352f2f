/**
 * Makes `docs/images/trace.svg`: the trace of one MCP call of a built service, as a collector gets it. `npm run
 * pictures`, after `npm run build`.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { keepTrace } from "./keep-picture.ts";
import { drawTrace, type DrawnSpan } from "./trace-svg.ts";

const service = `import { DatabaseSync } from "node:sqlite";
import { SpanKind, trace } from "@opentelemetry/api";
import { Service, loggingInit, startLambdaServer } from "tenon";
import type { JobContext } from "tenon";

const tracer = trace.getTracer("orders");
const database = new DatabaseSync(":memory:");
database.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, euro REAL)");
database.exec("INSERT INTO orders (euro) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i FROM n");

/** Sums all orders up in another currency.
 * @tool
 * @param rates Address of the rate. */
export async function convertOrders(rates: string, job: JobContext): Promise<number> {
  const attributes = { "db.system.name": "sqlite", "db.operation.name": "SELECT", "db.collection.name": "orders" };
  const total = await job.report.step("load", () =>
    tracer.startActiveSpan("SELECT orders", { kind: SpanKind.CLIENT, attributes }, (span) => {
      const rows = database.prepare("SELECT euro FROM orders ORDER BY euro DESC").all() as { euro: number }[];
      span.end();
      return rows.reduce((sum, { euro }) => sum + euro, 0);
    }),
  );
  return job.report.step("convert", async () => {
    const rate = Number(await (await fetch(rates)).text());
    return tracer.startActiveSpan("round", (span) => {
      span.end();
      return Math.round(total * rate);
    });
  });
}

loggingInit();
await startLambdaServer(new Service({ name: "Orders" }));
`;

const root = mkdtempSync(join(tmpdir(), "tenon-trace-"));
/** Everything that the collector has taken. */
const spans: DrawnSpan[] = [];
const collector = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url === "/v1/traces") spans.push(...spansOf(Buffer.concat(chunks).toString()));
    response.end("{}");
  });
});
// A rate takes a while, as the internet does.
const rates = createServer((_, response) => void sleep(15).then(() => response.end("1.1")));

try {
  mkdirSync(join(root, "src"));
  mkdirSync(join(root, "node_modules"));
  symlinkSync(resolve("."), join(root, "node_modules/tenon"));
  symlinkSync(resolve("node_modules/@opentelemetry"), join(root, "node_modules/@opentelemetry"));
  const options = {
    module: "nodenext",
    target: "es2023",
    strict: true,
    types: ["node"],
    typeRoots: [resolve("node_modules/@types")],
  };
  writeFileSync(join(root, "package.json"), '{ "name": "orders", "type": "module", "version": "1.0.0" }');
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["src"] }));
  writeFileSync(join(root, "src/service.ts"), service);
  const built = spawnSync(process.execPath, [resolve("dist/cli/main.js"), "build"], { cwd: root, encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stderr);
  for (const server of [collector, rates])
    await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  keepTrace("docs/images/trace.svg", drawTrace("tools/call convertOrders", await record()));
} finally {
  for (const server of [collector, rates]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(root, { recursive: true });
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The spans of the fastest of many calls: the first ones load what later ones find. */
async function record(): Promise<readonly DrawnSpan[]> {
  const child = spawn(process.execPath, [join(root, "dist/service.mjs"), "--with-mcp"], {
    env: {
      PATH: process.env["PATH"],
      HOST: "127.0.0.1",
      PORT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: addressOf(collector),
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((end) => child.once("exit", end));
  const url = await new Promise<string>((found) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const at = /listens on (http:\S+)$/.exec(line)?.[1];
      if (at !== undefined) found(at);
    });
  });
  const params = { name: "convertOrders", arguments: { rates: addressOf(rates) } };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  for (let id = 1; id <= 400; id += 1) {
    const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
    const answer = await (await fetch(`${url}/mcp`, { method: "POST", headers, body })).text();
    if (!answer.includes("55005500")) throw new Error(answer);
  }
  child.kill("SIGTERM");
  await ended;
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId).values()].filter(nests);
  const time = (trace: readonly DrawnSpan[]): number => Math.max(...trace.map(({ start, end }) => end - start));
  return traces.toSorted((one, other) => time(one) - time(other))[0] ?? [];
}

/** The SDK takes starts in whole milliseconds, so in some traces a span seems to outlast its parent. */
function nests(trace: readonly DrawnSpan[]): boolean {
  const byId = new Map(trace.map((span) => [span.spanId, span]));
  return trace.every(({ parentSpanId = "", start, end }) => {
    const parent = byId.get(parentSpanId);
    return parent === undefined || (start >= parent.start && end <= parent.end);
  });
}

/** The spans of a body in OTLP's JSON. */
function spansOf(body: string): readonly DrawnSpan[] {
  interface Sent {
    readonly traceId: string;
    readonly spanId: string;
    readonly parentSpanId?: string;
    readonly name: string;
    readonly startTimeUnixNano: string;
    readonly endTimeUnixNano: string;
  }
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { scope: { name: string }; spans: Sent[] }[] }[];
  };
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ scope, spans: sent }) =>
      sent.map(({ traceId, spanId, parentSpanId, name, startTimeUnixNano, endTimeUnixNano }) => ({
        traceId,
        spanId,
        parentSpanId,
        name,
        scope: scope.name,
        start: Number(BigInt(startTimeUnixNano) / 1000n) / 1000,
        end: Number(BigInt(endTimeUnixNano) / 1000n) / 1000,
      })),
    );
}
