import { trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { traceThread } from "../../../../../runtime/telemetry/sdk/thread-spans.ts";

test("a span is sent without secrets when it begins, since its thread may be killed before it ends", async () => {
  const sent: unknown[] = [];
  await traceThread((message) => void sent.push(structuredClone(message)));
  const link = { context: { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 } };
  trace.getTracer("author").startSpan("GET https://u:hunter22@h/x", {
    attributes: { password: "hunter22", "url.full": "https://u:hunter22@h/x", n: 1 },
    links: [{ ...link, attributes: { token: "hunter22" } }],
  });
  expect(sent).toEqual([
    expect.objectContaining({
      name: "GET https://[redacted]@h/x",
      ended: false,
      attributes: { password: "[redacted]", "url.full": "https://[redacted]@h/x", n: 1 },
      links: [expect.objectContaining({ attributes: { token: "[redacted]" } })],
    }),
  ]);
});
