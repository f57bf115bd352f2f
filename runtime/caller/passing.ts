import type { CallError } from "./call-error.ts";

/** True for a failure of the connection, of a proxy, or of a service that stops. */
export function isPassing({ kind, status = 0 }: CallError): boolean {
  if (kind === "unreachable" || kind === "overloaded" || kind === "draining" || kind === "unavailable") return true;
  return kind === "too-many-requests" || (kind === "unexpected" && status >= 502 && status <= 504);
}
