import { expect, test } from "vitest";
import { jobHeaders } from "../../../../../../runtime/outside/outbound/rules/job-headers.ts";

const traceparent = (digit: string): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
const first = {
  id: "urn:platform:job:1",
  authorization: "Bearer 1",
  traceparent: traceparent("1"),
  tracestate: "v=1",
  baggage: "k=1",
};
const second = {
  id: "urn:platform:job:2",
  authorization: "Bearer 2",
  traceparent: traceparent("2"),
  tracestate: "v=2",
  baggage: "k=2",
};

test.each(Object.keys(first) as (keyof typeof first)[])("a job whose %s has changed has other headers", (name) => {
  const job = { ...first };
  const before = jobHeaders(job);
  expect(before).toEqual(first);
  expect(jobHeaders(job)).toBe(before);
  job[name] = second[name];
  expect(jobHeaders(job)).toEqual({ ...first, [name]: second[name] });
});

test("values that servers would refuse are left out", () => {
  const legal = (job: Partial<typeof first>) => jobHeaders({ ...first, ...job });
  expect(legal({ authorization: "a\nb" }).authorization).toBeUndefined();
  expect(legal({ baggage: "a\u0100" }).baggage).toBeUndefined();
  expect(legal({ baggage: "x".repeat(8193) }).baggage).toBeUndefined();
  expect(legal({ baggage: "x".repeat(8192) }).baggage).toHaveLength(8192);
  expect(legal({ tracestate: "x".repeat(513) })).toMatchObject({
    tracestate: undefined,
    traceparent: traceparent("1"),
  });
  expect(legal({ id: "a b/ü" }).id).toBe("a%20b%2F%C3%BC");
  expect(legal({ id: "x".repeat(1025) }).id).toBeUndefined();
  for (const wrong of [
    `ff${traceparent("1").slice(2)}`,
    `00-${"0".repeat(32)}-${"1".repeat(16)}-01`,
    `00-${"1".repeat(32)}-${"0".repeat(16)}-01`,
    `${traceparent("1")}-`,
    ` ${traceparent("1")}`,
    traceparent("A"),
  ])
    expect(legal({ traceparent: wrong })).toMatchObject({ traceparent: undefined, tracestate: undefined });
});
