import { describe, expect, it } from "vitest";
import { resolveExport, type ExportPlan } from "../../../../../runtime/telemetry/export/resolve-export.ts";
import { StartError } from "../../../../../runtime/base/start-error.ts";

type Env = Readonly<Record<string, string>>;

const standard: Env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" };
const observer: Env = { OBSERVER_URL: "https://o.example" };

function plan(env: Env, flag?: boolean): ExportPlan {
  return resolveExport(env, flag);
}

function urls({ signals }: ExportPlan): readonly (string | undefined)[] {
  return [signals.traces?.url, signals.metrics?.url, signals.logs?.url];
}

describe("endpoint", () => {
  const each = (base: string): string[] => [`${base}/v1/traces`, `${base}/v1/metrics`, `${base}/v1/logs`];
  const none = [undefined, undefined, undefined];
  const same = (url: string): string[] => [url, url, url];
  it.each<[name: string, env: Env, expected: readonly (string | undefined)[]]>([
    ["nothing set", {}, none],
    ["empty counts as unset", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }, none],
    ["the standard endpoint alone", standard, each("http://c:4318")],
    ["a slash at its end", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318/" }, each("http://c:4318")],
    [
      "gRPC to an address without a scheme",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      same("https://collector:4317"),
    ],
    [
      "gRPC that is not encrypted, for one signal",
      {
        ...standard,
        OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "127.0.0.1:4317",
        OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "grpc",
        OTEL_EXPORTER_OTLP_INSECURE: "true",
      },
      [...each("http://c:4318").slice(0, 2), "http://127.0.0.1:4317"],
    ],
    ["a path", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c/otlp/x/" }, each("http://c/otlp/x")],
    [
      "a query stays",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c/o?k=1" },
      ["http://c/o/v1/traces?k=1", "http://c/o/v1/metrics?k=1", "http://c/o/v1/logs?k=1"],
    ],
    ["a signal's path is replaced", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c/v1/traces" }, each("http://c")],
    ["/v1/otlp takes all", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c/v1/otlp/" }, same("http://c/v1/otlp")],
    ["unified is the observer's", { ...standard, OBSERVER_USE_UNIFIED_OTLP_ENDPOINT: "true" }, each("http://c:4318")],
    ["userinfo leaves the URL", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://u:p@c:4318" }, each("http://c:4318")],
    [
      "a signal's own endpoint goes as it is",
      { ...standard, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://l/x" },
      ["http://c:4318/v1/traces", "http://c:4318/v1/metrics", "http://l/x"],
    ],
    [
      "a signal's own endpoint alone",
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://m/x" },
      [undefined, "http://m/x", undefined],
    ],
    ["observer URL", observer, each("https://o.example/api/default")],
    [
      "observer URL with a path",
      { OBSERVER_URL: "https://o.example/base/" },
      each("https://o.example/base/api/default"),
    ],
    ["organisation", { ...observer, OBSERVER_ORG: "a b/c" }, each("https://o.example/api/a%20b%2Fc")],
    [
      "observer endpoint beats observer URL",
      { ...observer, OBSERVER_ORG: "x", OBSERVER_OTLP_ENDPOINT: "https://e/api/y" },
      each("https://e/api/y"),
    ],
    ["its signal path is cut", { OBSERVER_OTLP_ENDPOINT: "https://e/api/y/v1/logs/" }, each("https://e/api/y")],
    ["its unified path is cut", { OBSERVER_OTLP_ENDPOINT: "https://e/api/y/v1/otlp" }, each("https://e/api/y")],
    [
      "unified",
      { ...observer, OBSERVER_USE_UNIFIED_OTLP_ENDPOINT: "1" },
      same("https://o.example/api/default/v1/otlp"),
    ],
    [
      "unified, given with its path",
      { OBSERVER_OTLP_ENDPOINT: "https://e/v1/otlp", OBSERVER_USE_UNIFIED_OTLP_ENDPOINT: "TRUE" },
      same("https://e/v1/otlp"),
    ],
    [
      "the standard endpoint beats the observer's",
      { ...standard, ...observer, OBSERVER_OTLP_ENDPOINT: "https://e" },
      each("http://c:4318"),
    ],
    ["enabled", { ...standard, OBSERVER_ENABLED: "true" }, each("http://c:4318")],
    ["forced off", { ...standard, OBSERVER_ENABLED: "false" }, none],
    ["forced off by 0", { ...observer, OBSERVER_ENABLED: "0" }, none],
    ["the SDK's own switch", { ...standard, OTEL_SDK_DISABLED: "true" }, none],
    [
      "… which OBSERVER_ENABLED beats",
      { ...standard, OTEL_SDK_DISABLED: "true", OBSERVER_ENABLED: "1" },
      each("http://c:4318"),
    ],
    [
      "traces off",
      { ...standard, OBSERVER_ENABLE_TRACES: "false" },
      [undefined, "http://c:4318/v1/metrics", "http://c:4318/v1/logs"],
    ],
    [
      "metrics off",
      { ...standard, OBSERVER_ENABLE_METRICS: "0" },
      ["http://c:4318/v1/traces", undefined, "http://c:4318/v1/logs"],
    ],
    [
      "logs off",
      { ...observer, OBSERVER_ENABLE_LOGS: "FALSE" },
      ["https://o.example/api/default/v1/traces", "https://o.example/api/default/v1/metrics", undefined],
    ],
    [
      "logs off, the standard way",
      { ...standard, OTEL_LOGS_EXPORTER: "none" },
      ["http://c:4318/v1/traces", "http://c:4318/v1/metrics", undefined],
    ],
    [
      "all off",
      { ...standard, OBSERVER_ENABLE_LOGS: "false", OBSERVER_ENABLE_METRICS: "false", OBSERVER_ENABLE_TRACES: "false" },
      none,
    ],
    [
      "all off, though enabled",
      {
        ...standard,
        OBSERVER_ENABLED: "true",
        OBSERVER_ENABLE_LOGS: "0",
        OBSERVER_ENABLE_METRICS: "0",
        OBSERVER_ENABLE_TRACES: "0",
      },
      none,
    ],
  ])("%s", (_, env, expected) => {
    expect(urls(plan(env))).toEqual(expected);
  });
});

describe("exporters and protocols", () => {
  const shape = ({ signals, consoles, prometheus }: ExportPlan): unknown => [
    Object.entries(signals).map(([signal, { url, protocol }]) => `${signal} ${protocol} ${url}`),
    consoles,
    prometheus,
  ];
  it.each<[name: string, env: Env, expected: unknown]>([
    [
      "asked for by name, to the collector of this machine",
      { OTEL_TRACES_EXPORTER: "otlp" },
      [["traces http/protobuf http://localhost:4318/v1/traces"], [], false],
    ],
    [
      "the same by gRPC",
      { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      [["traces grpc http://localhost:4317"], [], false],
    ],
    ["printed", { OTEL_LOGS_EXPORTER: "console", OTEL_TRACES_EXPORTER: "console" }, [[], ["traces", "logs"], false]],
    [
      "several exporters of a signal",
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://m/x", OTEL_METRICS_EXPORTER: "otlp, console,PROMETHEUS" },
      [["metrics http/protobuf http://m/x"], ["metrics"], true],
    ],
    ["Prometheus alone", { OTEL_METRICS_EXPORTER: "prometheus" }, [[], [], true]],
    ["none beats the others", { OTEL_METRICS_EXPORTER: "prometheus,none" }, [[], [], false]],
    ["forced off", { OTEL_METRICS_EXPORTER: "prometheus,console", OBSERVER_ENABLED: "false" }, [[], [], false]],
    [
      "a protocol of one signal",
      { ...standard, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "grpc" },
      [
        [
          "traces http/json http://c:4318/v1/traces",
          "metrics http/json http://c:4318/v1/metrics",
          "logs grpc http://c:4318",
        ],
        [],
        false,
      ],
    ],
  ])("%s", (_, env, expected) => {
    expect(shape(plan(env))).toEqual(expected);
  });
});

describe("headers", () => {
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;
  const o = { "stream-name": "default" };
  it.each<[name: string, env: Env, traces: Env, logs?: Env]>([
    ["none", standard, {}],
    [
      "commas and semicolons",
      { ...standard, OTEL_EXPORTER_OTLP_HEADERS: "A=1, b=2;c = x=y ;" },
      { a: "1", b: "2", c: "x=y" },
    ],
    [
      "percent-encoding",
      { ...standard, OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YWI%3D,p=100%" },
      { authorization: "Basic YWI=", p: "100%" },
    ],
    ["an empty value", { ...standard, OTEL_EXPORTER_OTLP_HEADERS: "a=" }, { a: "" }],
    [
      "one signal's own",
      { ...standard, OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=1", OTEL_EXPORTER_OTLP_TRACES_HEADERS: "B=2" },
      { a: "1", b: "2" },
      { a: "1", b: "1" },
    ],
    [
      "the observer's on top",
      {
        ...standard,
        OTEL_EXPORTER_OTLP_HEADERS: "a=1",
        OTEL_EXPORTER_OTLP_LOGS_HEADERS: "a=2,c=2",
        OBSERVER_HEADERS: "a=3",
      },
      { a: "3" },
      { a: "3", c: "2" },
    ],
    ["OBSERVER_AUTH verbatim", { ...standard, OBSERVER_AUTH: "Bearer t" }, { authorization: "Bearer t" }],
    [
      "user name and token",
      { ...standard, OBSERVER_USERNAME: "ü", OBSERVER_TOKEN: "t:x" },
      { authorization: basic("ü:t:x") },
    ],
    [
      "OBSERVER_AUTH beats them",
      { ...standard, OBSERVER_AUTH: "A", OBSERVER_USERNAME: "u", OBSERVER_TOKEN: "t" },
      { authorization: "A" },
    ],
    [
      "a header beats OBSERVER_AUTH",
      { ...standard, OTEL_EXPORTER_OTLP_HEADERS: "Authorization=h", OBSERVER_AUTH: "A" },
      { authorization: "h" },
    ],
    [
      "one signal's header, for it alone",
      { ...standard, OTEL_EXPORTER_OTLP_TRACES_HEADERS: "AUTHORIZATION=h", OBSERVER_AUTH: "A" },
      { authorization: "h" },
      { authorization: "A" },
    ],
    [
      "OBSERVER_HEADERS beat OBSERVER_AUTH",
      { ...standard, OBSERVER_HEADERS: "authorization=o", OBSERVER_AUTH: "A" },
      { authorization: "o" },
    ],
    [
      "userinfo of the URL comes last",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://u%20:p@c" },
      { authorization: basic("u :p") },
    ],
    [
      "… after OBSERVER_AUTH",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://u:p@c", OBSERVER_AUTH: "A" },
      { authorization: "A" },
    ],
    ["stream name", observer, o],
    [
      "its names",
      { ...observer, OBSERVER_TRACES_STREAM_NAME: "t", OBSERVER_LOGS_STREAM_NAME: "l" },
      { "stream-name": "t" },
      { "stream-name": "l" },
    ],
    [
      "not twice",
      { ...observer, OBSERVER_HEADERS: "Stream-Name=mine", OBSERVER_TRACES_STREAM_NAME: "t" },
      { "stream-name": "mine" },
    ],
    ["not when refused", { ...observer, OBSERVER_ADD_STREAM_NAME_HEADER: "false" }, {}],
    ["not at the standard endpoint", { ...standard, ...observer, OBSERVER_TRACES_STREAM_NAME: "t" }, {}],
    ["not at a signal's own endpoint", { ...observer, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/" }, {}, o],
    ["a poisoned name is dropped", { ...standard, OTEL_EXPORTER_OTLP_HEADERS: "__proto__=x,a=1" }, { a: "1" }],
  ])("%s", (_, env, traces, logs = traces) => {
    const { signals } = plan(env);
    expect(signals.traces?.headers).toEqual(traces);
    expect(signals.logs?.headers).toEqual(logs);
    expect(Object.getPrototypeOf(signals.traces?.headers)).toBe(Object.prototype);
    expect(Reflect.get({}, "x")).toBeUndefined();
  });
});

describe("outbound instrumentation", () => {
  it.each<[name: string, env: Env, flag: boolean | undefined, expected: boolean]>([
    ["off without an endpoint", {}, undefined, false],
    ["on with the standard endpoint", standard, undefined, true],
    ["on with the endpoint of traces", { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/" }, undefined, true],
    ["off with the endpoint of logs", { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://t/" }, undefined, false],
    ["off with the observer's endpoint alone", observer, undefined, false],
    ["off when export is forced off", { ...standard, OBSERVER_ENABLED: "false" }, undefined, false],
    ["off without traces", { ...standard, OBSERVER_ENABLE_TRACES: "false" }, undefined, false],
    ["--with-telemetry without an endpoint", {}, true, true],
    ["--with-telemetry with the observer's", observer, true, true],
    ["--without-telemetry", standard, false, false],
    ["on with traces that are asked for by name", { OTEL_TRACES_EXPORTER: "otlp" }, undefined, true],
    ["on with traces that are printed", { OTEL_TRACES_EXPORTER: "console" }, undefined, true],
    ["off with metrics alone", { OTEL_METRICS_EXPORTER: "prometheus" }, undefined, false],
  ])("%s", (_, env, flag, expected) => {
    expect(plan(env, flag).instrumentOutbound).toBe(expected);
  });

  it("--without-telemetry leaves the export alone", () => {
    expect(urls(plan(standard, false))).toEqual(urls(plan(standard)));
  });
});

it.each<[env: Env, expected: number]>([
  [{}, 60_000],
  [{ OBSERVER_METRICS_INTERVAL: "1" }, 1000],
  [{ OBSERVER_METRICS_INTERVAL: " 300 " }, 300_000],
  [{ OBSERVER_METRICS_INTERVAL: "300", OTEL_METRIC_EXPORT_INTERVAL: "1500" }, 1500],
])("interval of metrics %j", (env, expected) => {
  expect(plan(env).metricsInterval).toBe(expected);
});

it("takes the service name along", () => {
  expect(plan({ OTEL_SERVICE_NAME: "n" }).serviceName).toBe("n");
  expect(plan({}).serviceName).toBeUndefined();
});

describe("warnings", () => {
  it.each<[env: Env, flag: boolean | undefined, expected: readonly string[]]>([
    [{}, undefined, []],
    [{ ...standard, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }, undefined, []],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, undefined, []],
    [{ OTEL_TRACES_SAMPLER: "always_off" }, undefined, []],
    [{ ...standard, OTEL_TRACES_SAMPLER: "always_off", OTEL_RESOURCE_ATTRIBUTES: "a=b%20c" }, undefined, []],
    [{ ...standard, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, undefined, []],
    [
      { ...standard, OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "http/xml" },
      undefined,
      [
        'OTEL_EXPORTER_OTLP_LOGS_PROTOCOL is "http/xml"; known are http/protobuf, http/json, grpc, and http/protobuf is used.',
      ],
    ],
    [
      { ...standard, OTEL_TRACES_EXPORTER: "otlp,zipkin", OTEL_METRICS_EXPORTER: "prometheus,x" },
      undefined,
      [
        'OTEL_TRACES_EXPORTER: "zipkin" is ignored; known are otlp, console and none.',
        'OTEL_METRICS_EXPORTER: "x" is ignored; known are otlp, console, prometheus and none.',
      ],
    ],
    [{ OTEL_TRACES_EXPORTER: "console" }, true, []],
    [{}, true, ["--with-telemetry: outbound calls get a trace context, but there is no endpoint to export spans to."]],
    [
      { ...standard, OBSERVER_ENABLED: "false" },
      true,
      ["--with-telemetry: outbound calls get a trace context, but spans are not exported."],
    ],
    [standard, true, []],
    [
      { ...standard, OTEL_EXPORTER_OTLP_HEADERS: "a=1,SECRET" },
      undefined,
      ["OTEL_EXPORTER_OTLP_HEADERS: part 2 is ignored, since it is not a name=value pair."],
    ],
    [
      { ...standard, OBSERVER_HEADERS: "a b=SECRET" },
      undefined,
      ["OBSERVER_HEADERS: part 1 is ignored, since its name is not a header name."],
    ],
    [
      { ...standard, OBSERVER_HEADERS: "a=S%0D%0AE" },
      undefined,
      ["OBSERVER_HEADERS: part 1 is ignored, since its value holds characters that a header cannot have."],
    ],
    [
      { ...standard, OTEL_EXPORTER_OTLP_TRACES_HEADERS: "Host=SECRET" },
      undefined,
      ["OTEL_EXPORTER_OTLP_TRACES_HEADERS: part 1 is ignored, since this header is not for you to set."],
    ],
  ])("%j %s", (env, flag, expected) => {
    expect(plan(env, flag).warnings).toEqual(expected);
  });
});

describe("start errors", () => {
  it.each<[env: Env, message: string]>([
    [
      { OBSERVER_ENABLED: "true" },
      "OBSERVER_ENABLED is true, but there is no endpoint. Set OTEL_EXPORTER_OTLP_ENDPOINT, OBSERVER_OTLP_ENDPOINT or OBSERVER_URL.",
    ],
    [
      { OBSERVER_ENABLED: "1", OTEL_EXPORTER_OTLP_ENDPOINT: "" },
      "OBSERVER_ENABLED is true, but there is no endpoint. Set OTEL_EXPORTER_OTLP_ENDPOINT, OBSERVER_OTLP_ENDPOINT or OBSERVER_URL.",
    ],
    [{ OBSERVER_ENABLED: "yes" }, 'OBSERVER_ENABLED is "yes"; allowed: true, false, 1, 0.'],
    [{ OBSERVER_ENABLE_LOGS: "on" }, 'OBSERVER_ENABLE_LOGS is "on"; allowed: true, false, 1, 0.'],
    [{ OBSERVER_ENABLE_METRICS: "2" }, 'OBSERVER_ENABLE_METRICS is "2"; allowed: true, false, 1, 0.'],
    [{ OBSERVER_ENABLE_TRACES: "t" }, 'OBSERVER_ENABLE_TRACES is "t"; allowed: true, false, 1, 0.'],
    [{ OBSERVER_ADD_STREAM_NAME_HEADER: "no" }, 'OBSERVER_ADD_STREAM_NAME_HEADER is "no"; allowed: true, false, 1, 0.'],
    [
      { OBSERVER_USE_UNIFIED_OTLP_ENDPOINT: "no" },
      'OBSERVER_USE_UNIFIED_OTLP_ENDPOINT is "no"; allowed: true, false, 1, 0.',
    ],
    [
      { OBSERVER_METRICS_INTERVAL: "0" },
      'OBSERVER_METRICS_INTERVAL is "0"; it must be a whole number from 1 to 86400.',
    ],
    [
      { OBSERVER_METRICS_INTERVAL: "1.5" },
      'OBSERVER_METRICS_INTERVAL is "1.5"; it must be a whole number from 1 to 86400.',
    ],
    [
      { OBSERVER_METRICS_INTERVAL: "-1" },
      'OBSERVER_METRICS_INTERVAL is "-1"; it must be a whole number from 1 to 86400.',
    ],
    [
      { OBSERVER_METRICS_INTERVAL: "1e3" },
      'OBSERVER_METRICS_INTERVAL is "1e3"; it must be a whole number from 1 to 86400.',
    ],
    [
      { OBSERVER_METRICS_INTERVAL: "99999999" },
      'OBSERVER_METRICS_INTERVAL is "99999999"; it must be a whole number from 1 to 86400.',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "c:4318" },
      'OTEL_EXPORTER_OTLP_ENDPOINT is "c:4318"; it must be an http or https URL.',
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://u:SECRET@c" }, "OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL."],
    [
      { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "x" },
      'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT is "x"; it must be an http or https URL.',
    ],
    [{ OBSERVER_OTLP_ENDPOINT: "http://" }, 'OBSERVER_OTLP_ENDPOINT is "http://"; it must be an http or https URL.'],
    [{ OBSERVER_URL: "file:///etc" }, 'OBSERVER_URL is "file:///etc"; it must be an http or https URL.'],
    [{ ...standard, OBSERVER_URL: "nonsense" }, 'OBSERVER_URL is "nonsense"; it must be an http or https URL.'],
    [
      { OBSERVER_TOKEN: "SECRET" },
      "OBSERVER_TOKEN is set without OBSERVER_USERNAME. Set both, or neither when a proxy adds the authorisation.",
    ],
    [
      { ...standard, OBSERVER_USERNAME: "u" },
      "OBSERVER_USERNAME is set without OBSERVER_TOKEN. Set both, or neither when a proxy adds the authorisation.",
    ],
    [{ ...standard, OBSERVER_AUTH: "SECRET\r\nX: y" }, "OBSERVER_AUTH holds characters that a header cannot have."],
    [
      { OBSERVER_TRACES_STREAM_NAME: "a\nb" },
      "OBSERVER_TRACES_STREAM_NAME holds characters that a header cannot have.",
    ],
  ])("%j", (env, message) => {
    const attempt = (): unknown => plan(env);
    expect(attempt).toThrow(StartError);
    expect(attempt).toThrow(new StartError(message));
    expect(message).not.toContain("SECRET");
  });

  it("half a pair does not count when export is forced off", () => {
    expect(plan({ OBSERVER_ENABLED: "false", OBSERVER_TOKEN: "t" }).signals).toEqual({});
  });
});
