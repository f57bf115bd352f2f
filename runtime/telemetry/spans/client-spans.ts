import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { Context, Tracer } from "@opentelemetry/api";
import type { CallResult, ClientSpan, OutboundCall } from "../../job/client-span.ts";
import { describeThrown } from "../log/describe-thrown.ts";
import { traceparentOf } from "./context.ts";

const methods: ReadonlySet<string> = new Set([
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "QUERY",
  "TRACE",
]);

/** Starts a client span with the names of the HTTP conventions, without the URL's userinfo and query. */
export function startClientSpan(tracer: Tracer, { method, url }: OutboundCall, parent: Context): ClientSpan {
  const name = method.toUpperCase();
  const known = methods.has(name);
  const attributes = {
    "http.request.method": known ? name : "_OTHER",
    "server.address": url.hostname,
    "server.port": url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
    "url.full": `${url.origin}${url.pathname}${url.search === "" ? "" : "?[redacted]"}`,
  };
  const span = tracer.startSpan(known ? name : "HTTP", { kind: SpanKind.CLIENT, attributes }, parent);
  let ended = false;
  return {
    traceparent: traceparentOf(span),
    ended(result) {
      if (ended) return;
      ended = true;
      if ("status" in result) span.setAttribute("http.response.status_code", result.status);
      const failure = failureOf(result);
      if (failure !== undefined) {
        span.setAttribute("error.type", failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function failureOf(result: CallResult): string | undefined {
  if ("error" in result) return describeThrown(result.error).type;
  return result.status >= 400 ? String(result.status) : undefined;
}
