import type { VariableReader } from "./read-variables.ts";

export type Signal = "traces" | "metrics" | "logs";

export const signals: readonly Signal[] = ["traces", "metrics", "logs"];

/** An OTLP endpoint for all signals. */
export interface Endpoint {
  readonly url: URL;
  /**
   * Kind of variables that have set the endpoint. Stream names and the unified path apply only to `OBSERVER_…`
   * variables.
   */
  readonly source: "standard" | "observer";
}

const signalPath = /\/v1\/(?:traces|metrics|logs)$/;
const unifiedPath = /\/v1\/otlp$/;

/**
 * Finds the endpoint: `OTEL_EXPORTER_OTLP_ENDPOINT`, else `OBSERVER_OTLP_ENDPOINT`, else `OBSERVER_URL` with the
 * organisation.
 *
 * @param scheme Of a standard endpoint that has none
 */
export function findEndpoint(read: VariableReader, scheme: string | undefined): Endpoint | undefined {
  const standard = read.url("OTEL_EXPORTER_OTLP_ENDPOINT", scheme);
  const observer = read.url("OBSERVER_OTLP_ENDPOINT");
  const base = read.url("OBSERVER_URL");
  if (standard !== undefined) return { url: standard, source: "standard" };
  if (observer !== undefined) return { url: observer, source: "observer" };
  if (base === undefined) return undefined;
  const organisation = encodeURIComponent(read.text("OBSERVER_ORG") ?? "default");
  return { url: withPath(base, `${trimmed(base)}/api/${organisation}`), source: "observer" };
}

/**
 * Returns the OTLP URL of one signal. `/v1/traces`, `/v1/metrics` or `/v1/logs` is appended to the endpoint's path; if
 * the path already ends with one of these, that part is replaced. The URL is used unchanged if it accepts all signals:
 * if it ends with `/v1/otlp`, or if an `OBSERVER_…` variable has set it and `unified` is true.
 */
export function urlForSignal(signal: Signal, { url, source }: Endpoint, unified: boolean): URL {
  const path = trimmed(url);
  if (source === "standard") {
    return withPath(url, unifiedPath.test(path) ? path : `${path.replace(signalPath, "")}/v1/${signal}`);
  }
  const base = path.replace(signalPath, "").replace(unifiedPath, "");
  return withPath(url, unified ? `${base}/v1/otlp` : `${base}/v1/${signal}`);
}

function trimmed({ pathname }: URL): string {
  return pathname.replace(/\/+$/, "");
}

function withPath(url: URL, path: string): URL {
  const changed = new URL(url);
  changed.pathname = path;
  changed.hash = "";
  return changed;
}
