import type { Environment } from "../../service/config/config.ts";
import { StartError } from "../../base/start-error.ts";
import { findEndpoint, signals, urlForSignal } from "./find-endpoint.ts";
import type { Endpoint, Signal } from "./find-endpoint.ts";
import { isHeaderValue, parseHeaderList, percentDecode } from "./header-list.ts";
import type { HeaderList } from "./header-list.ts";
import { variableReader } from "./read-variables.ts";
import type { VariableReader } from "./read-variables.ts";

/** Destination of one signal. */
export interface SignalTarget {
  /** Without userinfo. */
  readonly url: string;
  /** Never printed, since they hold credentials. */
  readonly headers: HeaderList;
}

/** Telemetry settings of this process; made once at start. */
export interface ExportPlan {
  /** Exported signals with their destinations. When empty, the SDK is not loaded for export. */
  readonly signals: Readonly<Partial<Record<Signal, SignalTarget>>>;
  /** Milliseconds between two exports of metrics. */
  readonly metricsInterval: number;
  /** Outbound calls get spans of their own, even when nothing is exported. */
  readonly instrumentOutbound: boolean;
  /** `OTEL_SERVICE_NAME`. */
  readonly serviceName: string | undefined;
  /** Warnings for the log, each one line without secrets. */
  readonly warnings: readonly string[];
}

interface Options {
  readonly unified: boolean;
  /** Seconds. */
  readonly interval: number;
  readonly enabled: Readonly<Record<Signal, boolean>>;
  /** Empty: the header is not sent. */
  readonly streamNames: Readonly<Partial<Record<Signal, string>>>;
}

const defaultInterval = 60;
/** Seconds. A longer interval would overflow a timer. */
const longestInterval = 86_400;

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
  const endpoint = findEndpoint(read);
  const targets: { [signal in Signal]?: SignalTarget } = {};
  let found = false;
  for (const signal of signals) {
    const own = read.url(named("ENDPOINT", signal));
    found ||= own !== undefined || endpoint !== undefined;
    if (wanted === false || !options.enabled[signal]) continue;
    if (own !== undefined) targets[signal] = target(own, readHeaders(read, signal, own, warnings));
    else if (endpoint !== undefined) {
      const headers = readHeaders(read, signal, endpoint.url, warnings);
      addStreamName(headers, endpoint, options.streamNames[signal]);
      targets[signal] = target(urlForSignal(signal, endpoint, options.unified), headers);
    }
  }
  if (wanted === true && !found) {
    throw new StartError(
      "OBSERVER_ENABLED is true, but there is no endpoint. " +
        "Set OTEL_EXPORTER_OTLP_ENDPOINT, OBSERVER_OTLP_ENDPOINT or OBSERVER_URL.",
    );
  }
  if (wanted !== false) checkPair(read);
  const exports = Object.keys(targets).length > 0;
  if (exports) {
    warnProtocol(read, warnings);
    warnUnread(read, warnings);
  }
  if (flag === true && !exports) {
    warnings.add("--with-telemetry: outbound calls get a trace context, but there is no endpoint to export spans to.");
  }
  const standard = ["OTEL_EXPORTER_OTLP_ENDPOINT", named("ENDPOINT", "traces")].some(
    (name) => read.text(name) !== undefined,
  );
  return {
    signals: targets,
    metricsInterval: options.interval * 1000,
    instrumentOutbound: flag ?? (standard && targets.traces !== undefined),
    serviceName: read.text("OTEL_SERVICE_NAME"),
    warnings: [...warnings],
  };
}

/**
 * Reads all options even when they are not used, so that an invalid value is found at the start and not on the day it
 * is used.
 */
function readOptions(read: VariableReader): Options {
  const addStreamName = read.boolean("OBSERVER_ADD_STREAM_NAME_HEADER") ?? true;
  const each = signals.map((signal) => {
    const name = signal.toUpperCase();
    const enabled = read.boolean(`OBSERVER_ENABLE_${name}`) ?? true;
    const variable = `OBSERVER_${name}_STREAM_NAME`;
    const streamName = read.text(variable) ?? "default";
    if (!isHeaderValue(streamName)) throw new StartError(`${variable} holds characters that a header cannot have.`);
    return { signal, enabled: enabled && read.text(`OTEL_${name}_EXPORTER`) !== "none", streamName };
  });
  return {
    unified: read.boolean("OBSERVER_USE_UNIFIED_OTLP_ENDPOINT") ?? false,
    interval: read.integer("OBSERVER_METRICS_INTERVAL", 1, longestInterval) ?? defaultInterval,
    enabled: Object.fromEntries(each.map(({ signal, enabled }) => [signal, enabled])) as Record<Signal, boolean>,
    streamNames: addStreamName ? Object.fromEntries(each.map(({ signal, streamName }) => [signal, streamName])) : {},
  };
}

/** Later variables override earlier ones. For the authorisation, the first one that is set wins. */
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

function target(url: URL, headers: ReadonlyMap<string, string>): SignalTarget {
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return { url: plain.href, headers: Object.fromEntries(headers) };
}

function checkPair(read: VariableReader): void {
  const [user, token] = [read.text("OBSERVER_USERNAME"), read.text("OBSERVER_TOKEN")];
  if ((user === undefined) === (token === undefined)) return;
  const [given, missing] =
    user === undefined ? ["OBSERVER_TOKEN", "OBSERVER_USERNAME"] : ["OBSERVER_USERNAME", "OBSERVER_TOKEN"];
  throw new StartError(`${given} is set without ${missing}. Set both, or neither when a proxy adds the authorisation.`);
}

function warnProtocol(read: VariableReader, warnings: Set<string>): void {
  for (const name of ["OTEL_EXPORTER_OTLP_PROTOCOL", ...signals.map((signal) => named("PROTOCOL", signal))]) {
    const protocol = read.text(name);
    if (protocol === undefined || protocol === "http/protobuf") continue;
    warnings.add(`${name} is ${JSON.stringify(protocol)}; only http/protobuf is spoken, so that is used.`);
  }
}

/** Standard variables that have no effect: sampling follows the caller's decision, the resource its allow-list. */
const unread: Readonly<Record<string, string>> = {
  OTEL_TRACES_SAMPLER: "the caller's traceparent decides, and a trace that begins here is kept",
  OTEL_RESOURCE_ATTRIBUTES: "name the service with OTEL_SERVICE_NAME, and add other attributes in the collector",
  OTEL_PROPAGATORS: "W3C Trace Context is spoken",
};

function warnUnread(read: VariableReader, warnings: Set<string>): void {
  for (const [name, reason] of Object.entries(unread))
    if (read.text(name) !== undefined) warnings.add(`${name} is not read: ${reason}.`);
}

function named(what: "ENDPOINT" | "HEADERS" | "PROTOCOL", signal: Signal): string {
  return `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${what}`;
}

function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === "true";
}
