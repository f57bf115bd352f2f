import type { CallResult, ClientSpan, OutboundCall } from "../client-span.ts";
import { describeThrown } from "../describe-thrown.ts";
import { Span } from "./span.ts";
import type { SpanSource } from "./span.ts";

const knownMethods: ReadonlySet<string> = new Set([
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "TRACE",
]);

/** Starts a client span with the names of the HTTP conventions; of the URL neither userinfo nor query. */
export function startClientSpan(
  source: SpanSource,
  { method, url }: OutboundCall,
  parent: Span,
  spanId: string | undefined,
): ClientSpan {
  const verb = method.toUpperCase();
  const known = knownMethods.has(verb) ? verb : "HTTP";
  const span = new Span(source, { name: known, kind: "client", parent, spanId })
    .set("http.request.method", known === "HTTP" ? "_OTHER" : known)
    .set("server.address", url.hostname)
    .set("server.port", url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port))
    .set("url.full", `${url.origin}${url.pathname}${url.search === "" ? "" : "?[redacted]"}`);
  let ended = false;
  return {
    traceparent: span.traceparent,
    ended(result) {
      if (ended) return;
      ended = true;
      if ("status" in result) span.set("http.response.status_code", result.status);
      const failure = failureOf(result);
      if (failure !== undefined) span.set("error.type", failure).failed();
      span.end();
    },
  };
}

function failureOf(result: CallResult): string | undefined {
  if ("error" in result) return describeThrown(result.error).type;
  return result.status >= 400 ? String(result.status) : undefined;
}
