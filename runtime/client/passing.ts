import type { CallError } from "./call-error.ts";

/** True for a failure of the connection, of a proxy, or of a service that stops. */
export function isPassing({ kind, status = 0 }: CallError): boolean {
  return passing.has(kind) || (kind === "unexpected" && status >= 502 && status <= 504);
}

const passing: ReadonlySet<string> = new Set([
  "unreachable",
  "overloaded",
  "draining",
  "unavailable",
  "too-many-requests",
]);
