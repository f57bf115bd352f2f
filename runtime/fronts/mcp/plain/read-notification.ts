import { isRecord } from "../port/message-shape.ts";
import { acceptsBoth } from "./agrees-with-head.ts";
import type { RequestHead } from "./agrees-with-head.ts";
import { legacyRevisions } from "./read-request.ts";

/** True for a notification of an older client over HTTP. Nothing is stored for such a client, so it has no effect. */
export function isPlainNotification(message: unknown, head: RequestHead): boolean {
  if (!isRecord(message) || message["jsonrpc"] !== "2.0" || "id" in message) return false;
  const { method, params } = message;
  if (typeof method !== "string" || !method.startsWith("notifications/")) return false;
  for (const key in message) if (key !== "jsonrpc" && key !== "method" && key !== "params") return false;
  if (params !== undefined && (!isRecord(params) || "_meta" in params)) return false;
  const revision = head.header("mcp-protocol-version");
  return acceptsBoth(head.header("accept")) && (revision === undefined || legacyRevisions.includes(revision));
}
