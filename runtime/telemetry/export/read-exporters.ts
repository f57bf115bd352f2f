import { signals, type Signal } from "./find-endpoint.ts";
import type { VariableReader } from "./read-variables.ts";

/** Exporters of one signal, from `OTEL_<signal>_EXPORTER`. */
export interface Exporters {
  readonly otlp: boolean;
  readonly console: boolean;
  /** Adds an endpoint for Prometheus; for metrics only. */
  readonly prometheus: boolean;
  /**
   * True if `OTEL_<signal>_EXPORTER` is set. Without an endpoint, `otlp` then sends to a collector on this machine,
   * like OpenTelemetry by default.
   */
  readonly named: boolean;
  /** Warnings about values that are ignored. */
  readonly unknown: readonly string[];
}

const protocols = ["http/protobuf", "http/json", "grpc"] as const;

/** Encoding and transport of OTLP. */
export type Protocol = (typeof protocols)[number];

const noExporters: Exporters = { otlp: false, console: false, prometheus: false, named: false, unknown: [] };

/** Reads the exporters of a signal. Without the variable: OTLP, to the endpoint if there is one. */
export function readExporters(read: VariableReader, signal: Signal, enabled: boolean): Exporters {
  if (!enabled) return noExporters;
  const variable = `OTEL_${signal.toUpperCase()}_EXPORTER`;
  const text = read.text(variable);
  // Adds `/metrics`, in addition to the other exporters.
  const prometheus = signal === "metrics" && read.boolean("TENON_METRICS") === true;
  if (text === undefined) return { ...noExporters, otlp: true, prometheus };
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  if (names.includes("none")) return { ...noExporters, prometheus };
  const allowed = ["otlp", "console", ...(signal === "metrics" ? ["prometheus"] : [])];
  return {
    otlp: names.includes("otlp"),
    console: names.includes("console"),
    prometheus: prometheus || (signal === "metrics" && names.includes("prometheus")),
    named: true,
    unknown: names
      .filter((name) => !allowed.includes(name))
      .map((name) => `${variable}: ${JSON.stringify(name)} is ignored; known are ${allowed.join(", ")} and none.`),
  };
}

/** The protocol of a signal; `http/protobuf` if none is named, or an unknown one. */
export function readProtocol(read: VariableReader, signal: Signal): Protocol {
  const text = read.text(named("PROTOCOL", signal)) ?? read.text("OTEL_EXPORTER_OTLP_PROTOCOL");
  return protocols.find((name) => name === text) ?? "http/protobuf";
}

/** The scheme of an endpoint without one, which only gRPC has. `signal`: absent for the endpoint of all signals. */
export function schemeOfBare(read: VariableReader, signal?: Signal): string | undefined {
  const general = read.text("OTEL_EXPORTER_OTLP_PROTOCOL");
  if ((signal === undefined ? general : readProtocol(read, signal)) !== "grpc") return undefined;
  return read.text("OTEL_EXPORTER_OTLP_INSECURE")?.toLowerCase() === "true" ? "http" : "https";
}

/** Warnings about unknown protocols. */
export function protocolWarnings(read: VariableReader): readonly string[] {
  return ["OTEL_EXPORTER_OTLP_PROTOCOL", ...signals.map((signal) => named("PROTOCOL", signal))].flatMap((name) => {
    const protocol = read.text(name);
    if (protocol === undefined || protocols.some((one) => one === protocol)) return [];
    return [`${name} is ${JSON.stringify(protocol)}; known are ${protocols.join(", ")}, and http/protobuf is used.`];
  });
}

/** The name of the variable for one signal. */
export function named(what: "ENDPOINT" | "HEADERS" | "PROTOCOL", signal: Signal): string {
  return `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${what}`;
}
