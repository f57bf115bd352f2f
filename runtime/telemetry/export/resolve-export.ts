import type { Environment } from "../../service/config/config.ts";
import { StartError } from "../../base/start-error.ts";
import { findEndpoint, signals, urlForSignal, type Endpoint, type Signal } from "./find-endpoint.ts";
import { isHeaderValue, parseHeaderList, percentDecode, type HeaderList } from "./header-list.ts";
import { variableReader, type VariableReader } from "./read-variables.ts";
import { unreadWarnings } from "./unread-variables.ts";
import {
  named,
  protocolWarnings,
  readExporters,
  readProtocol,
  schemeOfBare,
  type Exporters,
  type Protocol,
} from "./read-exporters.ts";

/** Destination of one signal. */
export interface SignalTarget {
  /** URL without userinfo; for gRPC also without a path. */
  readonly url: string;
  readonly protocol: Protocol;
  /** Headers, which are never printed, since they contain credentials. */
  readonly headers: HeaderList;
}

/** Telemetry settings of this process; made once at start. */
export interface ExportPlan {
  /** Signals that go to a collector, with their destinations. */
  readonly signals: Readonly<Partial<Record<Signal, SignalTarget>>>;
  /** Signals that are printed. */
  readonly consoles: readonly Signal[];
  /** True if metrics can be read in Prometheus' text format. */
  readonly prometheus: boolean;
  /** Milliseconds between two exports of metrics. */
  readonly metricsInterval: number;
  /** True if outbound calls get spans of their own, even when nothing is exported. */
  readonly instrumentOutbound: boolean;
  /** Value of `OTEL_SERVICE_NAME`. */
  readonly serviceName: string | undefined;
  /** Warnings for the log, each one line without secrets. */
  readonly warnings: readonly string[];
}

interface Options {
  readonly unified: boolean;
  /** Milliseconds between two exports of metrics. */
  readonly interval: number;
  readonly exporters: Readonly<Record<Signal, Exporters>>;
  /** Values of the header `stream-name` by signal; empty: the header is not sent. */
  readonly streamNames: Readonly<Partial<Record<Signal, string>>>;
}

const defaultInterval = 60;
/** Maximum seconds between two exports. A longer interval would overflow a timer. */
const longestInterval = 86_400;
/** Endpoints of exporters that a variable names without an endpoint; OpenTelemetry's defaults. */
const localCollectors = { http: new URL("http://localhost:4318"), grpc: new URL("http://localhost:4317") };

/**
 * Decides from environment and flags which signals are exported, to which address and with which headers. `flag` is
 * true for `--with-telemetry`, false for `--without-telemetry`. An empty variable counts as unset.
 *
 * @throws {StartError} in one line that names the variable
 */
export function resolveExport(env: Environment, flag: boolean | undefined): ExportPlan {
  const read = variableReader(env);
  const options = readOptions(read);
  const wanted = read.boolean("OBSERVER_ENABLED") ?? (isTrue(read.text("OTEL_SDK_DISABLED")) ? false : undefined);
  const warnings = new Set<string>();
  const endpoint = findEndpoint(read, schemeOfBare(read));
  const targets: { [signal in Signal]?: SignalTarget } = {};
  const consoles: Signal[] = [];
  let found = false;
  for (const signal of signals) {
    const own = read.url(named("ENDPOINT", signal), schemeOfBare(read, signal));
    const { otlp, console, named: asked } = options.exporters[signal];
    const protocol = readProtocol(read, signal);
    const local: Endpoint | undefined =
      asked && otlp ? { url: localCollectors[protocol === "grpc" ? "grpc" : "http"], source: "standard" } : undefined;
    const at = endpoint ?? local;
    found ||= own !== undefined || at !== undefined;
    if (wanted === false) continue;
    if (console) consoles.push(signal);
    if (!otlp) continue;
    if (own !== undefined) targets[signal] = target(own, readHeaders(read, signal, own, warnings), protocol);
    else if (at !== undefined) {
      const headers = readHeaders(read, signal, at.url, warnings);
      addStreamName(headers, at, options.streamNames[signal]);
      targets[signal] = target(urlForSignal(signal, at, options.unified), headers, protocol);
    }
  }
  for (const warning of unreadWarnings(read)) warnings.add(warning);
  const prometheus = wanted !== false && options.exporters.metrics.prometheus;
  if (wanted === true && !found) {
    throw new StartError(
      "OBSERVER_ENABLED is true, but there is no endpoint. " +
        "Set OTEL_EXPORTER_OTLP_ENDPOINT, OBSERVER_OTLP_ENDPOINT or OBSERVER_URL.",
    );
  }
  if (wanted !== false) checkPair(read);
  const sends = Object.keys(targets).length > 0;
  if (sends) for (const warning of protocolWarnings(read)) warnings.add(warning);
  if (sends || consoles.length > 0 || prometheus)
    for (const { unknown } of Object.values(options.exporters)) for (const warning of unknown) warnings.add(warning);
  if (flag === true && !sends && !consoles.includes("traces")) {
    const why = found ? "spans are not exported." : "there is no endpoint to export spans to.";
    warnings.add(`--with-telemetry: outbound calls get a trace context, but ${why}`);
  }
  const standard = ["OTEL_EXPORTER_OTLP_ENDPOINT", named("ENDPOINT", "traces")].some(
    (name) => read.text(name) !== undefined,
  );
  const tracesAsked = standard || options.exporters.traces.named;
  return {
    signals: targets,
    consoles,
    prometheus,
    metricsInterval: options.interval,
    instrumentOutbound: flag ?? (consoles.includes("traces") || (tracesAsked && targets.traces !== undefined)),
    serviceName: read.text("OTEL_SERVICE_NAME"),
    warnings: [...warnings],
  };
}

/** The same plan without signals that are exported in another way. */
export function withoutSignals(plan: ExportPlan, others: ReadonlySet<string>): ExportPlan {
  return {
    ...plan,
    signals: Object.fromEntries(Object.entries(plan.signals).filter(([signal]) => !others.has(signal))),
    consoles: plan.consoles.filter((signal) => !others.has(signal)),
    prometheus: plan.prometheus && !others.has("metrics"),
  };
}

/** Reads all options, even unused ones, so that an invalid value is found at the first start. */
function readOptions(read: VariableReader): Options {
  const addStreamName = read.boolean("OBSERVER_ADD_STREAM_NAME_HEADER") ?? true;
  const each = signals.map((signal) => {
    const name = signal.toUpperCase();
    const enabled = read.boolean(`OBSERVER_ENABLE_${name}`) ?? true;
    const variable = `OBSERVER_${name}_STREAM_NAME`;
    const streamName = read.text(variable) ?? "default";
    if (!isHeaderValue(streamName)) throw new StartError(`${variable} holds characters that a header cannot have.`);
    return { signal, exporters: readExporters(read, signal, enabled), streamName };
  });
  const seconds = read.integer("OBSERVER_METRICS_INTERVAL", 1, longestInterval) ?? defaultInterval;
  return {
    unified: read.boolean("OBSERVER_USE_UNIFIED_OTLP_ENDPOINT") ?? false,
    interval: read.integer("OTEL_METRIC_EXPORT_INTERVAL", 1, longestInterval * 1000) ?? seconds * 1000,
    exporters: Object.fromEntries(each.map(({ signal, exporters }) => [signal, exporters])) as Options["exporters"],
    streamNames: addStreamName ? Object.fromEntries(each.map(({ signal, streamName }) => [signal, streamName])) : {},
  };
}

/**
 * Reads the headers of a signal. Later variables override earlier ones; for the authorisation, the first variable that
 * is set wins.
 */
function readHeaders(read: VariableReader, signal: Signal, url: URL, warnings: Set<string>): Map<string, string> {
  const headers = new Map<string, string>();
  for (const name of ["OTEL_EXPORTER_OTLP_HEADERS", named("HEADERS", signal), "OBSERVER_HEADERS"]) {
    const list = parseHeaderList(name, read.text(name));
    for (const [key, value] of list.headers) headers.set(key, value);
    for (const warning of list.warnings) warnings.add(warning);
  }
  if (headers.has("authorization")) return headers;
  const authorization = read.text("OBSERVER_AUTH");
  if (authorization !== undefined && !isHeaderValue(authorization)) {
    throw new StartError("OBSERVER_AUTH holds characters that a header cannot have.");
  }
  const value = authorization ?? basic(read.text("OBSERVER_USERNAME"), read.text("OBSERVER_TOKEN")) ?? basicOf(url);
  if (value !== undefined) headers.set("authorization", value);
  return headers;
}

function basic(user: string | undefined, password: string | undefined): string | undefined {
  if (user === undefined || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function basicOf({ username, password }: URL): string | undefined {
  return username === "" && password === "" ? undefined : basic(percentDecode(username), percentDecode(password));
}

function addStreamName(headers: Map<string, string>, { source }: Endpoint, streamName: string | undefined): void {
  if (source === "observer" && streamName !== undefined && !headers.has("stream-name"))
    headers.set("stream-name", streamName);
}

function target(url: URL, headers: ReadonlyMap<string, string>, protocol: Protocol): SignalTarget {
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return { url: protocol === "grpc" ? plain.origin : plain.href, headers: Object.fromEntries(headers), protocol };
}

function checkPair(read: VariableReader): void {
  const [user, token] = [read.text("OBSERVER_USERNAME"), read.text("OBSERVER_TOKEN")];
  if ((user === undefined) === (token === undefined)) return;
  const [given, missing] =
    user === undefined ? ["OBSERVER_TOKEN", "OBSERVER_USERNAME"] : ["OBSERVER_USERNAME", "OBSERVER_TOKEN"];
  throw new StartError(`${given} is set without ${missing}. Set both, or neither when a proxy adds the authorisation.`);
}

function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === "true";
}
