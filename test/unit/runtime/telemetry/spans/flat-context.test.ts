import { createContextKey, ROOT_CONTEXT, trace, type Context, type SpanOptions, type Tracer } from "@opentelemetry/api";
import { expect, test } from "vitest";
import type { ObservedJob } from "../../../../../runtime/job/job-span.ts";
import { flattened } from "../../../../../runtime/telemetry/spans/flat-context.ts";
import { jobSpanStarter } from "../../../../../runtime/telemetry/spans/assemble.ts";

const [one, other] = [createContextKey("one"), createContextKey("other")];

test.each([
  ["the root", ROOT_CONTEXT],
  ["a context of the API", ROOT_CONTEXT.setValue(one, "above").setValue(other, "above")],
])("derived from %s: has the values that the API's own context would have", (_, base) => {
  const steps: readonly ((from: Context) => Context)[] = [
    (from) => from.setValue(one, 1),
    (from) => from.setValue(other, 2),
    (from) => from.setValue(one, undefined),
    (from) => from.setValue(one, 3),
    (from) => from.deleteValue(other),
    (from) => from.deleteValue(one),
    (from) => from.setValue(other, 4),
  ];
  const seen = (from: Context): readonly unknown[] => {
    const all = [from];
    for (const step of steps) all.push(step(all.at(-1) ?? from));
    // Read when all are made: none may have changed.
    return all.map((made) => [made.getValue(one), made.getValue(other)]);
  };
  expect(seen(flattened(base))).toEqual(seen(base));
});

test("a context keeps nothing of those that it comes from, however many they are", () => {
  let last = flattened(ROOT_CONTEXT);
  for (let count = 0; count < 100_000; count += 1) last = last.setValue(one, count);
  expect([last.getValue(one), last.getValue(other)]).toEqual([99_999, undefined]);
});

test("the contexts of a job and of its steps have no methods of their own, which would keep their request in memory", () => {
  const parents: Context[] = [];
  const tracer = {
    startSpan(_name: string, _options: SpanOptions, parent: Context) {
      parents.push(parent);
      return trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 });
    },
  } as unknown as Tracer;
  const job: ObservedJob = {
    id: "urn:platform:job:1",
    tool: { name: "isPrime" },
    outcome: undefined,
    submission: { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` },
    span: undefined,
    authorization: undefined,
  };
  const settings = { serviceId: undefined, watchesCalls: false, threads: undefined, meter: undefined };
  const span = jobSpanStarter({ ...settings, tracer, kind: "server", capturesContents: false })(job);
  span.startStep("factorise", {});
  expect(parents.map((parent) => trace.getSpanContext(parent)?.spanId)).toEqual(["b".repeat(16), "2".repeat(16)]);
  expect(parents.flatMap((parent) => Object.values(parent))).toEqual([]);
});
