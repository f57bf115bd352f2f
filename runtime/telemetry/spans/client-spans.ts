import { SpanKind, SpanStatusCode, type Attributes, type Context, type Span, type Tracer } from "@opentelemetry/api";
import type { CallResult, ClientSpan, OutboundCall } from "../../job/job-span.ts";
import { describeThrown } from "../log/describe-thrown.ts";
import { cleanText } from "./attributes.ts";
import { hasOtherPropagators, otherHeadersOf, traceparentOf } from "./context.ts";

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

/**
 * Starts a client span with the names of the HTTP conventions, without the URL's userinfo and query. Secrets are also
 * removed from the path, in which the addresses of bots and web hooks have them.
 */
export function startClientSpan(
  tracer: Tracer,
  { method, url }: OutboundCall,
  parent: Context,
  token: string | undefined,
): ClientSpan {
  const name = method.toUpperCase();
  const known = methods.has(name);
  const attributes = {
    "http.request.method": known ? name : "_OTHER",
    "server.address": url.hostname,
    "server.port": url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
    "url.full": `${cleanText(`${url.origin}${url.pathname}`, token)}${url.search === "" ? "" : "?[redacted]"}`,
  };
  const span = tracer.startSpan(known ? name : "HTTP", { kind: SpanKind.CLIENT, attributes }, parent);
  let ended = false;
  return {
    traceparent: traceparentOf(span),
    others: hasOtherPropagators() ? otherHeadersOf(parent, span) : undefined,
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

/** True for the client span of a request that an instrumentation of the author's has made the active span. */
export function isRequestSpan(span: Span | undefined): boolean {
  const { kind, attributes } = (span ?? {}) as { readonly kind?: SpanKind; readonly attributes?: Attributes };
  return (
    kind === SpanKind.CLIENT &&
    attributes !== undefined &&
    ("http.request.method" in attributes || "http.method" in attributes)
  );
}

function failureOf(result: CallResult): string | undefined {
  if ("error" in result) return describeThrown(result.error).type;
  return result.status >= 400 ? String(result.status) : undefined;
}
