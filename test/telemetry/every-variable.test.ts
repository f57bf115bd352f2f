import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { context, logs, metrics, propagation, trace } from "@opentelemetry/api";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Service } from "../../runtime/index.ts";
import { flushLogs, loggingInit } from "../../runtime/telemetry/log/logging.ts";
import { startTelemetry } from "../../runtime/telemetry/start-telemetry.ts";
import { decodeOtlp, logsOf, resourceOf, spansOf } from "../support/otlp-decode.ts";
import { answers, startOtlpSink, type OtlpSink, type SinkAnswer } from "../support/otlp-sink.ts";

/** Traces of a run with one variable. */
interface Left {
  readonly sink: OtlpSink;
  /** Messages of the log. */
  readonly said: readonly string[];
  /** Headers that a propagator has made, and what was printed. */
  readonly injected: Readonly<Record<string, string>>;
  readonly printed: string;
}

interface Case {
  readonly env: Readonly<Record<string, string>>;
  readonly answer?: SinkAnswer;
  /** Number of pairs of spans and log records; default 1. */
  readonly times?: number;
  /** Waits for something before the end. */
  readonly until?: (sink: OtlpSink, said: () => Promise<readonly string[]>) => unknown;
  readonly check: (left: Left) => void;
}

const link = {
  context: { traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 },
  attributes: { x: 1, y: 2 },
};
let sinks: OtlpSink[] = [];
beforeEach(() => {
  sinks = [];
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  // They stay for the life of a process.
  propagation.disable();
  context.disable();
  for (const sink of sinks) await sink.close();
});

async function run({ env, answer, times = 1, until }: Case): Promise<Left> {
  const lines: string[] = [];
  vi.stubEnv("PLATFORM_LOG_LEVEL", env["PLATFORM_LOG_LEVEL"] ?? "INFO");
  loggingInit({ write: (line) => void lines.push(line) });
  const said = async (): Promise<readonly string[]> => {
    await flushLogs();
    return lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
  };
  const printed: string[] = [];
  vi.spyOn(console, "dir").mockImplementation((value) => void printed.push(JSON.stringify(value)));
  const sink = await startOtlpSink(answer);
  sinks.push(sink);
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", sink.url);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value.replace("SINK", sink.url));
  const telemetry = await startTelemetry({
    served: { service: new Service({ name: "Test" }), version: "1" },
    config: { flags: {}, logFormat: undefined, serviceId: undefined, serviceName: undefined } as never,
    kind: "server",
  });
  const injected: Record<string, string> = {};
  const emit = (): void => {
    trace
      .getTracer("test")
      .startActiveSpan("one", { attributes: { a: "abcdefgh", b: 1, c: 2 }, links: [link, link] }, (span) => {
        propagation.inject(context.active(), injected);
        span.addEvent("first", { x: 1, y: 2 });
        span.addEvent("second");
        trace.getTracer("test").startSpan("two").end();
        span.end();
      });
    metrics.getMeter("test").createCounter("test.calls").add(1);
    for (const body of ["first", "second"])
      logs.getLogger("test").emit({ body, attributes: { a: "abcdefgh", b: 1, c: 2 } });
  };
  for (let count = 0; count < times; count += 1) emit();
  await until?.(sink, said);
  await telemetry.close();
  return { sink, said: await said(), injected, printed: printed.join("\n") };
}

const spansIn = (sink: OtlpSink) => sink.of("traces").flatMap(({ body }) => spansOf(body));
const spanOne = (sink: OtlpSink) => spansIn(sink).find(({ name }) => name === "one");
/** The span as OTLP has it, with its counts of what was dropped. */
function rawOne(sink: OtlpSink): Record<string, unknown> {
  const found = sink.of("traces").flatMap(({ body }) => {
    const { resourceSpans } = decodeOtlp("traces", body) as {
      readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly object[] }[] }[];
    };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });
  return found.find((span) => (span as { readonly name?: string }).name === "one") as Record<string, unknown>;
}
const records = (sink: OtlpSink) =>
  sink
    .of("logs")
    .flatMap(({ body }) => logsOf(body))
    .filter(({ logger }) => logger === "test");
const resource = (sink: OtlpSink) => resourceOf("traces", sink.of("traces")[0]?.body ?? Buffer.alloc(0));
const has =
  (text: string) =>
  ({ said }: Left): void =>
    expect(said.filter((line) => line.includes(text))).toHaveLength(1);
const counts =
  (traces: number, metric: number, log: number) =>
  ({ sink }: Left): void =>
    expect((["traces", "metrics", "logs"] as const).map((signal) => Math.min(1, sink.of(signal).length))).toEqual([
      traces,
      metric,
      log,
    ]);
const signals = ["TRACES", "METRICS", "LOGS"] as const;
const requestsOf = (sink: OtlpSink, signal: (typeof signals)[number]) =>
  sink.of(signal.toLowerCase() as "traces" | "metrics" | "logs");
const atLeast = (signal: "traces" | "metrics" | "logs", count: number) => (sink: OtlpSink) =>
  vi.waitFor(() => expect(sink.of(signal).length).toBeGreaterThanOrEqual(count), { timeout: 120_000, interval: 5 });
const untilSaid =
  (text: string, timeout = 120_000) =>
  (_: OtlpSink, said: () => Promise<readonly string[]>) =>
    vi.waitFor(async () => expect((await said()).join("\n")).toContain(text), { timeout, interval: 20 });

/** Variables of the SDK for Node and of the specification's list, each with the effect that it must have. */
const cases: Readonly<Record<string, Case>> = {
  OTEL_SDK_DISABLED: { env: { OTEL_SDK_DISABLED: "true" }, check: counts(0, 0, 0) },
  OTEL_SERVICE_NAME: {
    env: { OTEL_SERVICE_NAME: "named" },
    check: ({ sink }) => expect(resource(sink)["service.name"]).toBe("named"),
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    env: { OTEL_RESOURCE_ATTRIBUTES: "team=blue%20one" },
    check: ({ sink }) => expect(resource(sink)["team"]).toBe("blue one"),
  },
  OTEL_NODE_RESOURCE_DETECTORS: {
    env: { OTEL_NODE_RESOURCE_DETECTORS: "host,process,service,cloud" },
    check: (left) => {
      const names = ["host.name", "os.type", "process.pid", "service.instance.id"];
      expect(Object.keys(resource(left.sink))).toEqual(expect.arrayContaining(names));
      has('OTEL_NODE_RESOURCE_DETECTORS: "cloud" is ignored')(left);
    },
  },
  OTEL_TRACES_SAMPLER: { env: { OTEL_TRACES_SAMPLER: "always_off" }, check: counts(0, 1, 1) },
  OTEL_TRACES_SAMPLER_ARG: {
    env: { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" },
    check: counts(0, 1, 1),
  },
  OTEL_PROPAGATORS: {
    env: { OTEL_PROPAGATORS: "tracecontext,b3,b3multi,jaeger" },
    check: (left) => {
      expect(left.injected).toMatchObject({ b3: expect.any(String), "x-b3-traceid": expect.any(String) });
      has('OTEL_PROPAGATORS: "jaeger" is ignored; known are tracecontext, baggage, b3, b3multi and none.')(left);
    },
  },
  "OTEL_PROPAGATORS=none": {
    env: { OTEL_PROPAGATORS: "none" },
    check: (left) => {
      expect(left.injected).toEqual({});
      has("OTEL_PROPAGATORS: traceparent goes in and out all the same")(left);
    },
  },
  OTEL_TRACES_EXPORTER: { env: { OTEL_TRACES_EXPORTER: "none" }, check: counts(0, 1, 1) },
  OTEL_METRICS_EXPORTER: { env: { OTEL_METRICS_EXPORTER: "none" }, check: counts(1, 0, 1) },
  OTEL_LOGS_EXPORTER: { env: { OTEL_LOGS_EXPORTER: "none" }, check: counts(1, 1, 0) },
  "OTEL_TRACES_EXPORTER, a list": {
    env: { OTEL_TRACES_EXPORTER: "otlp,console,zipkin" },
    check: (left) => {
      counts(1, 1, 1)(left);
      expect(left.printed).toContain('"one"');
      has('OTEL_TRACES_EXPORTER: "zipkin" is ignored; known are otlp, console and none.')(left);
    },
  },
  "OTEL_LOGS_EXPORTER, a list": {
    env: { OTEL_LOGS_EXPORTER: "console,otlp" },
    check: (left) => {
      counts(1, 1, 1)(left);
      expect(left.printed).toContain('"second"');
    },
  },
  "OTEL_METRICS_EXPORTER=console": {
    env: { OTEL_METRICS_EXPORTER: "console" },
    check: (left) => {
      counts(1, 0, 1)(left);
      expect(left.printed).toContain("test.calls");
    },
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    env: { OTEL_METRIC_EXPORT_INTERVAL: "20" },
    until: atLeast("metrics", 2),
    check: counts(1, 1, 1),
  },
  OTEL_METRIC_EXPORT_TIMEOUT: {
    env: { OTEL_METRIC_EXPORT_INTERVAL: "40", OTEL_METRIC_EXPORT_TIMEOUT: "20", OTEL_LOG_LEVEL: "error" },
    answer: answers.hanging,
    until: untilSaid("timed out"),
    check: ({ said }) => expect(said.join("\n")).toContain("timed out"),
  },
  ...Object.fromEntries(
    (
      [
        ["OTEL_BSP", "traces"],
        ["OTEL_BLRP", "logs"],
      ] as const
    ).flatMap(([prefix, signal]): (readonly [string, Case])[] => [
      [
        `${prefix}_SCHEDULE_DELAY`,
        { env: { [`${prefix}_SCHEDULE_DELAY`]: "1" }, until: atLeast(signal, 1), check: counts(1, 1, 1) },
      ],
      [
        `${prefix}_MAX_EXPORT_BATCH_SIZE`,
        {
          env: { [`${prefix}_MAX_EXPORT_BATCH_SIZE`]: "1" },
          check: ({ sink }) => expect(sink.of(signal).length).toBeGreaterThanOrEqual(2),
        },
      ],
      [
        `${prefix}_MAX_QUEUE_SIZE`,
        {
          env: { [`${prefix}_MAX_QUEUE_SIZE`]: "1", [`${prefix}_MAX_EXPORT_BATCH_SIZE`]: "1" },
          times: 3,
          check: ({ said }) => expect(said.join("\n")).toMatch(/[345] (?:spans|log records) were dropped/),
        },
      ],
      [
        `${prefix}_EXPORT_TIMEOUT`,
        {
          env: { [`${prefix}_MAX_EXPORT_BATCH_SIZE`]: "1", [`${prefix}_EXPORT_TIMEOUT`]: "1" },
          answer: answers.hanging,
          until: atLeast(signal, 2),
          check: ({ sink }) => expect(sink.of(signal).length).toBeGreaterThanOrEqual(2),
        },
      ],
    ]),
  ),
  OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: {
    env: { OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "1", OTEL_ATTRIBUTE_COUNT_LIMIT: "2" },
    check: ({ sink }) => expect(spanOne(sink)?.attributes).toEqual({ a: "abcdefgh" }),
  },
  OTEL_ATTRIBUTE_COUNT_LIMIT: {
    env: { OTEL_ATTRIBUTE_COUNT_LIMIT: "2" },
    check: ({ sink }) => {
      expect(Object.keys(spanOne(sink)?.attributes ?? {})).toEqual(["a", "b"]);
      expect(Object.keys(records(sink)[0]?.attributes as object)).toEqual(["a", "b"]);
    },
  },
  OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: {
    env: { OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: "3" },
    check: ({ sink }) => expect(spanOne(sink)?.attributes["a"]).toBe("abc"),
  },
  OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: {
    env: { OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: "4" },
    check: ({ sink }) =>
      expect([spanOne(sink)?.attributes["a"], records(sink)[0]?.attributes]).toEqual([
        "abcd",
        expect.objectContaining({ a: "abcd" }),
      ]),
  },
  OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT: {
    env: { OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT: "1" },
    check: ({ sink }) => expect(Object.keys(records(sink)[0]?.attributes as object)).toEqual(["a"]),
  },
  OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT: {
    env: { OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT: "2" },
    check: ({ sink }) => expect(records(sink)[0]?.attributes).toMatchObject({ a: "ab" }),
  },
  OTEL_SPAN_EVENT_COUNT_LIMIT: {
    env: { OTEL_SPAN_EVENT_COUNT_LIMIT: "1" },
    check: ({ sink }) => expect(spanOne(sink)?.events).toHaveLength(1),
  },
  OTEL_SPAN_LINK_COUNT_LIMIT: {
    env: { OTEL_SPAN_LINK_COUNT_LIMIT: "1" },
    check: ({ sink }) => expect(rawOne(sink)["links"]).toHaveLength(1),
  },
  OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT: {
    env: { OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT: "1" },
    check: ({ sink }) => expect(Object.keys(spanOne(sink)?.events[0]?.attributes ?? {})).toEqual(["x"]),
  },
  OTEL_LINK_ATTRIBUTE_COUNT_LIMIT: {
    env: { OTEL_LINK_ATTRIBUTE_COUNT_LIMIT: "1" },
    check: ({ sink }) => expect(rawOne(sink)["links"]).toMatchObject([{ attributes: [{ key: "x" }] }, {}]),
  },
  OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT: {
    env: { OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT: "1" },
    check: ({ sink }) => expect(Object.keys(spanOne(sink)?.events[0]?.attributes ?? {})).toEqual(["x"]),
  },
  OTEL_SPAN_ATTRIBUTE_PER_LINK_COUNT_LIMIT: {
    env: { OTEL_SPAN_ATTRIBUTE_PER_LINK_COUNT_LIMIT: "1" },
    check: ({ sink }) => expect(rawOne(sink)["links"]).toMatchObject([{ droppedAttributesCount: 1 }, {}]),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: { env: {}, check: counts(1, 1, 1) },
  OTEL_EXPORTER_OTLP_HEADERS: {
    env: { OTEL_EXPORTER_OTLP_HEADERS: "x-team=blue%20one" },
    check: ({ sink }) =>
      expect(new Set(sink.requests.map(({ headers }) => headers["x-team"]))).toEqual(new Set(["blue one"])),
  },
  OTEL_EXPORTER_OTLP_COMPRESSION: {
    env: { OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" },
    check: ({ sink }) =>
      expect(new Set(sink.requests.map(({ headers }) => headers["content-encoding"]))).toEqual(new Set(["gzip"])),
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    env: { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" },
    check: ({ sink }) =>
      expect(new Set(sink.requests.map(({ headers }) => headers["content-type"]))).toEqual(
        new Set(["application/json"]),
      ),
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    env: { OTEL_EXPORTER_OTLP_TIMEOUT: "50", OTEL_BSP_SCHEDULE_DELAY: "1" },
    answer: answers.hanging,
    until: untilSaid("spans did not arrive"),
    check: ({ said }) => expect(said.join("\n")).toContain("2 spans did not arrive"),
  },
  ...Object.fromEntries(
    signals.flatMap((signal): (readonly [string, Case])[] => {
      const name = (what: string): string => `OTEL_EXPORTER_OTLP_${signal}_${what}`;
      const others = signals.filter((other) => other !== signal);
      const only =
        (read: (headers: Readonly<Record<string, unknown>>) => unknown, value: string) =>
        ({ sink }: Left): void => {
          expect(new Set(requestsOf(sink, signal).map(({ headers }) => read(headers)))).toEqual(new Set([value]));
          for (const other of others)
            for (const { headers } of requestsOf(sink, other)) expect(read(headers)).not.toBe(value);
        };
      return [
        [
          name("ENDPOINT"),
          {
            env: { [name("ENDPOINT")]: "SINK/elsewhere" },
            check: ({ sink }) => expect(sink.requests.map(({ path }) => path)).toContain("/elsewhere"),
          },
        ],
        [
          name("HEADERS"),
          { env: { [name("HEADERS")]: "x-team=red" }, check: only((headers) => headers["x-team"], "red") },
        ],
        [
          name("COMPRESSION"),
          { env: { [name("COMPRESSION")]: "gzip" }, check: only((headers) => headers["content-encoding"], "gzip") },
        ],
        [
          name("PROTOCOL"),
          {
            env: { [name("PROTOCOL")]: "http/json" },
            check: only((headers) => headers["content-type"], "application/json"),
          },
        ],
        [
          name("TIMEOUT"),
          {
            env: {
              [name("TIMEOUT")]: "50",
              OTEL_BSP_SCHEDULE_DELAY: "1",
              OTEL_BLRP_SCHEDULE_DELAY: "1",
              OTEL_METRIC_EXPORT_INTERVAL: "20",
            },
            answer: answers.hanging,
            // The other signals have the ten seconds of the default.
            until: (sink, said) => untilSaid(`${sink.url}/v1/${signal.toLowerCase()}`, 8000)(sink, said),
            check: ({ sink, said }) =>
              expect(said.join("\n")).toContain(`did not arrive at ${sink.url}/v1/${signal.toLowerCase()}`),
          },
        ],
        ...["CERTIFICATE", "CLIENT_KEY", "CLIENT_CERTIFICATE"].map((what): readonly [string, Case] => [
          name(what),
          {
            env: { [name(what)]: "/nowhere.pem" },
            check: ({ said }) => expect(said.join("\n")).toMatch(/Failed to read (?:root|client) certificate/),
          },
        ]),
      ];
    }),
  ),
  ...Object.fromEntries(
    ["CERTIFICATE", "CLIENT_KEY", "CLIENT_CERTIFICATE"].map((what): readonly [string, Case] => [
      `OTEL_EXPORTER_OTLP_${what}`,
      {
        env: { [`OTEL_EXPORTER_OTLP_${what}`]: "/nowhere.pem" },
        check: ({ said }) => expect(said.join("\n")).toMatch(/Failed to read (?:root|client) certificate/),
      },
    ]),
  ),
  OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: {
    env: { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "delta" },
    check: ({ sink }) =>
      expect(JSON.stringify(decodeOtlp("metrics", sink.of("metrics")[0]?.body ?? Buffer.alloc(0)))).toContain(
        "AGGREGATION_TEMPORALITY_DELTA",
      ),
  },
  OTEL_LOG_LEVEL: {
    env: { OTEL_LOG_LEVEL: "debug", PLATFORM_LOG_LEVEL: "DEBUG" },
    check: ({ said }) => expect(said.join("\n")).toContain("items to be sent"),
  },
  "OTEL_LOG_LEVEL, unknown": {
    env: { OTEL_LOG_LEVEL: "loud" },
    check: has('OTEL_LOG_LEVEL: "loud" is ignored; known are none, error, warn, info, debug, verbose, all.'),
  },
  ...Object.fromEntries(
    [
      "OTEL_CONFIG_FILE",
      "OTEL_NODE_EXPERIMENTAL_SDK_METRICS",
      "OTEL_METRICS_EXEMPLAR_FILTER",
      "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
      "OTEL_EXPORTER_ZIPKIN_ENDPOINT",
      "OTEL_EXPORTER_JAEGER_ENDPOINT",
    ].map((name): readonly [string, Case] => [
      name,
      { env: { [name]: "true" }, check: has(`${name} has no effect: `) },
    ]),
  ),
  ...Object.fromEntries(
    (
      [
        ["OTEL_BSP_MAX_QUEUE_SIZE", "-3", "0 to 2147483647"],
        ["OTEL_BSP_EXPORT_TIMEOUT", "3e9", "0 to 2147483647"],
        ["OTEL_SPAN_EVENT_COUNT_LIMIT", "1.5", "0"],
        ["OTEL_METRIC_EXPORT_TIMEOUT", "0", "1 to 2147483647"],
        ["OTEL_EXPORTER_PROMETHEUS_PORT", "0", "1 to 65535", { OTEL_METRICS_EXPORTER: "prometheus" }],
      ] as const
    ).map(([name, text, range, env = {}]): readonly [string, Case] => [
      `${name}, out of its range`,
      {
        env: { [name]: text, ...env },
        check: has(`${name}: "${text}" is ignored; it must be a whole number from ${range}.`),
      },
    ]),
  ),
};

test.each(Object.keys(cases))("%s", async (name) => {
  const one = cases[name];
  if (one === undefined) throw new Error("There is no such case.");
  const left = await run(one);
  expect(left.said).toBeInstanceOf(Array);
  one.check(left);
});

/** Read by a listener of its own, or for gRPC: see metrics.test.ts and resolve-export.test.ts. */
const elsewhere = ["OTEL_EXPORTER_PROMETHEUS_HOST", "OTEL_EXPORTER_PROMETHEUS_PORT", "OTEL_EXPORTER_OTLP_INSECURE"];

test("every variable that sdk-node's code reads is in this table, and the documentation names it", () => {
  const root = join(import.meta.dirname, "../..");
  const packages = ["sdk-node", "core", "resources", "sdk-metrics", "otlp-exporter-base"];
  const files = packages.flatMap((name) => {
    const folder = join(root, "node_modules/@opentelemetry", name, "dist");
    return listed(folder).filter((file) => file.endsWith(".mjs") && !file.includes("browser"));
  });
  const read = new Set(
    files.flatMap((file) => readFileSync(file, "utf8").match(/(?<=FromEnv\(["`])OTEL_[A-Z_]+(?=["`])/g) ?? []),
  );
  expect(read.size).toBeGreaterThan(30);
  const known = new Set([...Object.keys(cases).map((name) => name.split(/[,=]/)[0]), ...elsewhere]);
  expect([...read].filter((name) => !known.has(name))).toEqual([]);
  const docs = ["telemetry", "configuration"].map((name) => readFileSync(join(root, `docs/${name}.md`), "utf8")).join();
  expect([...known].filter((name) => name !== undefined && !docs.includes(name))).toEqual([]);
});

function listed(folder: string): readonly string[] {
  return globSync("**/*", { cwd: folder }).map((file) => join(folder, file));
}
