import { SpanKind, trace, type SpanOptions, type Tracer } from "@opentelemetry/api";
import { expect, test } from "vitest";
import type { ObservedJob } from "../../../../../runtime/job/job-span.ts";
import { jobSpanStarter } from "../../../../../runtime/telemetry/spans/assemble.ts";

test("the options of a job's and a step's span have no getter of their own, which would keep their request in memory", () => {
  const seen: SpanOptions[] = [];
  const tracer = {
    startSpan(_name: string, options: SpanOptions = {}) {
      seen.push(options);
      return trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 });
    },
  } as unknown as Tracer;
  const start = jobSpanStarter({
    tracer,
    kind: "server",
    serviceId: "s1",
    watchesCalls: false,
    threads: undefined,
    meter: undefined,
    capturesContents: false,
  });
  const job: ObservedJob = {
    id: "urn:platform:job:1",
    tool: { name: "isPrime" },
    outcome: undefined,
    submission: {},
    span: undefined,
    authorization: undefined,
  };
  start(job).startStep("factorise", { number: 7 });
  expect(seen.map(({ kind, attributes }) => ({ kind, attributes }))).toEqual([
    {
      kind: SpanKind.SERVER,
      attributes: {
        "platform.service_id": "s1",
        "platform.job_id": "urn:platform:job:1",
        "platform.tool": "isPrime",
      },
    },
    {
      kind: SpanKind.INTERNAL,
      attributes: expect.objectContaining({ "platform.event_name": "factorise" }) as SpanOptions["attributes"],
    },
  ]);
  const own = seen.flatMap((options) => Object.values(Object.getOwnPropertyDescriptors(options)));
  expect(own.filter(({ get }) => get !== undefined)).toEqual([]);
});
