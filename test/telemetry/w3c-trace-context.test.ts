import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startRecorder, type Recorder } from "../outbound/harness/recorder.ts";
import { launchEntry, type LaunchedService } from "../support/launch.ts";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";

// The cases of the W3C trace-context test harness, against a running service that calls another one.
const entry = join(inject("bundledServices"), "telemetry.js");
const trace = "12345678901234567890123456789012";
const span = "1234567890123456";
const good = `00-${trace}-${span}-01`;

type Headers = readonly (readonly [name: string, value: string])[];

let sink: OtlpSink;
let target: Recorder;
let service: LaunchedService;
beforeAll(async () => {
  sink = await startOtlpSink();
  target = await startRecorder();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, TENON_ALLOWED_HOSTS: "localhost" };
  service = await launchEntry(entry, [], env).listening;
});
afterAll(async () => {
  await service.stop();
  await target.stop();
  await sink.close();
});

interface Sent {
  readonly trace: string | undefined;
  readonly parent: string | undefined;
  readonly flags: string | undefined;
  readonly state: string | undefined;
}

/** Calls the service with headers as they are, and resolves to what its own call carried. */
async function call(headers: Headers): Promise<Sent> {
  const body = JSON.stringify({ mode: "call", text: `http://127.0.0.1:${target.port}/` });
  const raw = [["host", new URL(service.url).host], ["content-type", "application/json"], ...headers];
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const options = { method: "POST", headers: [...raw, ["content-length", String(Buffer.byteLength(body))]].flat() };
    request(`${service.url}/tool`, options, (response) =>
      response.resume().on("end", () => resolve(response.statusCode)),
    )
      .on("error", reject)
      .end(body);
  });
  expect(status).toBe(200);
  const [arrived] = target.take();
  const [, id, parent, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(
    String(arrived?.headers["traceparent"]),
  ) ?? [undefined, "none", "none", "none"];
  return { trace: id, parent, flags, state: arrived?.headers["tracestate"]?.toString() };
}

/** The caller's trace, in a span of the service's own. */
const continued = { trace, parent: expect.not.stringMatching(span) as string };
/** A trace of its own: the caller's is not carried on, and neither is its state. */
const restarted = { trace: expect.stringMatching(`^(?!0+$|${trace})[0-9a-f]{32}$`) as string, state: undefined };

describe("traceparent", () => {
  it.each<[name: string, headers: Headers]>([
    ["as it should be", [["traceparent", good]]],
    ["in another case", [["TrAcEpArEnT", good]]],
    ["spaces and tabs around it", [["traceparent", ` \t ${good}\t `]]],
    ["a later version", [["traceparent", `cc-${trace}-${span}-01`]]],
    ["a later version with more fields", [["traceparent", `cc-${trace}-${span}-01-what-the-future-will-be-like`]]],
    ["unknown flags", [["traceparent", `00-${trace}-${span}-ff`]]],
  ])("continues: %s", async (_, headers) => {
    expect(await call(headers)).toMatchObject({ ...continued, state: undefined });
  });

  it.each<[name: string, headers: Headers]>([
    ["not there", []],
    [
      "twice, the same",
      [
        ["traceparent", good],
        ["traceparent", good],
      ],
    ],
    [
      "twice, different",
      [
        ["traceparent", good],
        ["traceparent", good.replace("1234", "4321")],
      ],
    ],
    [
      "twice, one bad",
      [
        ["traceparent", good],
        ["traceparent", "00"],
      ],
    ],
    ["another name, with a dash", [["trace-parent", good]]],
    ["another name, with a dot", [["trace.parent", good]]],
    ["version 00 with more", [["traceparent", `${good}-what`]]],
    ["version 00 with an empty end", [["traceparent", `${good}-`]]],
    ["a later version with a wrong separator", [["traceparent", `cc-${trace}-${span}-01.what`]]],
    ["version ff", [["traceparent", `ff-${trace}-${span}-01`]]],
    ["version with illegal characters", [["traceparent", `.0-${trace}-${span}-01`]]],
    ["version too long", [["traceparent", `000-${trace}-${span}-01`]]],
    ["version too short", [["traceparent", `0-${trace}-${span}-01`]]],
    ["trace id of zeros", [["traceparent", `00-${"0".repeat(32)}-${span}-01`]]],
    ["trace id with illegal characters", [["traceparent", `00-.${trace.slice(1)}-${span}-01`]]],
    ["trace id in upper case", [["traceparent", `00-ABCDEF${trace.slice(6)}-${span}-01`]]],
    ["trace id too long", [["traceparent", `00-0${trace}-${span}-01`]]],
    ["trace id too short", [["traceparent", `00-${trace.slice(1)}-${span}-01`]]],
    ["parent of zeros", [["traceparent", `00-${trace}-${"0".repeat(16)}-01`]]],
    ["parent with illegal characters", [["traceparent", `00-${trace}-.${span.slice(1)}-01`]]],
    ["parent too long", [["traceparent", `00-${trace}-0${span}-01`]]],
    ["parent too short", [["traceparent", `00-${trace}-${span.slice(1)}-01`]]],
    ["flags with illegal characters", [["traceparent", `00-${trace}-${span}-.0`]]],
    ["flags too long", [["traceparent", `00-${trace}-${span}-001`]]],
    ["flags too short", [["traceparent", `00-${trace}-${span}-1`]]],
    [
      "bad, with a good tracestate",
      [
        ["traceparent", "garbage"],
        ["tracestate", "foo=1"],
      ],
    ],
    ["not there, with a tracestate", [["tracestate", "foo=1"]]],
  ])("begins a trace of its own: %s", async (_, headers) => {
    expect(await call(headers)).toMatchObject(restarted);
  });

  it("each call is a span of its own, and the caller's decision not to sample goes on", async () => {
    const [one, other] = [await call([["traceparent", good]]), await call([["traceparent", good]])];
    expect([one.flags, one.parent === other.parent]).toEqual(["01", false]);
    expect((await call([["traceparent", `00-${trace}-${span}-00`]])).flags).toBe("00");
  });
});

const members = (count: number): string =>
  Array.from({ length: count }, (_, index) => `bar${String(index).padStart(2, "0")}=${index}`).join(",");
const state = (...values: readonly string[]): Headers => [
  ["traceparent", good],
  ...values.map((value) => ["tracestate", value] as const),
];

describe("tracestate", () => {
  it.each<[name: string, headers: Headers, expected: string]>([
    ["one member", state("foo=1"), "foo=1"],
    [
      "in another case",
      [
        ["traceparent", good],
        ["TrAcEsTaTe", "foo=1"],
      ],
      "foo=1",
    ],
    ["several headers", state("foo=1", "bar=2", "rojo=3,congo=4"), "foo=1,bar=2,rojo=3,congo=4"],
    ["an empty header among them", state("foo=1", "", "bar=2"), "foo=1,bar=2"],
    ["empty members", state("foo=1,,bar=2,"), "foo=1,bar=2"],
    ["spaces and tabs around members", state("foo=1 \t,\t bar=2"), "foo=1,bar=2"],
    ["32 members", state(members(32)), members(32)],
    ["32 members in two headers", state(members(10), members(32).slice(members(10).length + 1)), members(32)],
    ["all characters of keys", state("0_*-/a@t0_*-/=1,abc_-*/=2"), "0_*-/a@t0_*-/=1,abc_-*/=2"],
    ["a key of 256", state(`${"z".repeat(256)}=1`), `${"z".repeat(256)}=1`],
    [
      "a vendor's key of 241 and 14",
      state(`${"t".repeat(241)}@${"v".repeat(14)}=1`),
      `${"t".repeat(241)}@${"v".repeat(14)}=1`,
    ],
    [
      "all characters of values",
      state("foo=!\"#$%&'()*+-./0:;<>?@A[\\]^_`a{|}~"),
      "foo=!\"#$%&'()*+-./0:;<>?@A[\\]^_`a{|}~",
    ],
    ["a value of 256", state(`foo=${"v".repeat(256)}`), `foo=${"v".repeat(256)}`],
  ])("goes on: %s", async (_, headers, expected) => {
    expect(await call(headers)).toMatchObject({ ...continued, state: expected });
  });

  it.each<[name: string, value: string]>([
    ["a key with illegal characters", "foo @=1"],
    ["a key in upper case", "FOO=1"],
    ["a key with a dot", "foo.bar=1"],
    ["a vendor's key without a vendor", "foo@=1"],
    ["a vendor's key without a tenant", "@foo=1"],
    ["a vendor's key with two", "foo@@bar=1"],
    ["a vendor's key with three parts", "foo@bar@baz=1"],
    ["a key of 257", `${"z".repeat(257)}=1`],
    ["a tenant of 242", `${"t".repeat(242)}@v=1`],
    ["a vendor of 15", `t@${"v".repeat(15)}=1`],
    ["an equals sign in a value", "foo=bar=baz"],
    ["no value", "foo=,bar=3"],
    ["no equals sign", "foo"],
    ["33 members", members(33)],
    ["a key twice", "foo=1,foo=2"],
  ])("is dropped, and the trace goes on: %s", async (_, value) => {
    expect(await call(state(value))).toMatchObject({ ...continued, state: undefined });
  });
});

describe("a service without telemetry passes the context on", () => {
  it("as it is, and nothing that is bad", async () => {
    const plain = await launchEntry(entry, [], { TENON_ALLOWED_HOSTS: "localhost" }).listening;
    const body = { mode: "call", text: `http://127.0.0.1:${target.port}/` };
    const values = [good, `ff-${trace}-${span}-01`, `00-${"0".repeat(32)}-${span}-01`, `${good}-more`, undefined];
    for (const value of values) {
      await plain.post(body, { tracestate: "foo=1", ...(value !== undefined && { traceparent: value }) });
    }
    await plain.stop();
    const arrived = target.take().map(({ headers }) => [headers["traceparent"], headers["tracestate"]]);
    expect(arrived).toEqual([[good, "foo=1"], ...values.slice(1).map(() => [undefined, undefined])]);
  });
});
