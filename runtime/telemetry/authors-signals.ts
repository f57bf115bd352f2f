import { telemetryKey } from "../contract/process-keys.ts";
import type { Signal } from "./export/find-endpoint.ts";

/** Signals by their names in the API of OpenTelemetry. */
export type ApiSignal = "trace" | "metrics" | "logs";

const apiSignals: readonly ApiSignal[] = ["trace", "metrics", "logs"];

interface Holder {
  /** Property in which every copy of the API stores the registered providers; its name contains the major version 1. */
  readonly [apiKey]?: Readonly<Record<string, unknown>>;
  /** The signals for which a tenon service has registered providers. */
  [telemetryKey]?: Set<ApiSignal>;
}

const apiKey = Symbol.for("opentelemetry.js.api.1");

/**
 * The signals for which the author has registered a provider, for example with `node --import ./otel.mjs`. Read from
 * the global itself, so that a start without telemetry loads nothing.
 */
export function authorsSignals(): ReadonlySet<ApiSignal> {
  const registered = (globalThis as Holder)[apiKey];
  if (registered === undefined) return new Set();
  const ours = ownSignals();
  return new Set(apiSignals.filter((name) => registered[name] !== undefined && !ours.has(name)));
}

/** The signals for which a tenon service of this process has registered its providers. */
export function ownSignals(): Set<ApiSignal> {
  return ((globalThis as Holder)[telemetryKey] ??= new Set());
}

/** Returns the names that signals have in variables. */
export function authorsExports(authors: ReadonlySet<ApiSignal>): ReadonlySet<Signal> {
  return new Set([...authors].map((signal) => (signal === "trace" ? "traces" : signal)));
}
