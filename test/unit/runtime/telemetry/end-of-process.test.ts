import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { flushLogs, loggingInit } from "../../../../runtime/telemetry/log/logging.ts";
import { resolveExport } from "../../../../runtime/telemetry/export/resolve-export.ts";
import { createTelemetry } from "../../../../runtime/telemetry/sdk/create-telemetry.ts";

afterEach(() => void vi.useRealTimers());

it("telemetry ends 2 s after it was told to, also with a collector that takes everything and never answers", async () => {
  const lines: string[] = [];
  loggingInit({ write: (line) => lines.push(line) });
  const sockets = new Set<Socket>();
  const collector = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  const plan = resolveExport({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }, undefined);
  if (plan === undefined) throw new Error("The endpoint is not seen.");
  const origin = { serviceName: "s", serviceVersion: "1", serviceId: undefined };
  const telemetry = await createTelemetry(plan, origin, "server");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  telemetry.calls
    ?.began({ method: "tools/call", target: "t", transport: "tcp", traceparent: undefined, tracestate: undefined })
    .ended(undefined);
  let isClosed = false;
  const closed = telemetry.close().then(() => {
    isClosed = true;
  });
  // The spans are on their way, so that what is waited for is the answer.
  await new Promise<void>((resolve) => void collector.once("connection", () => resolve()));
  await vi.advanceTimersByTimeAsync(1999);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
  // The first record waits for a moment.
  await vi.advanceTimersByTimeAsync(20);
  await flushLogs();
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    "telemetry: traces, metrics of the last seconds did not arrive within 2 s, and are lost. " +
      `Is the collector at http://127.0.0.1:${port} up?`,
  ]);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => collector.close(resolve));
});
