import type { CallResult, ClientSpan, OutboundCall } from "../../job/client-span.ts";
import { describeThrown } from "../log/describe-thrown.ts";
import { encodeCommon } from "./encode-spans.ts";
import { Span } from "./span.ts";
import type { SpanSource } from "./span.ts";

/** Encoded common fields of spans, by method. */
const commons: ReadonlyMap<string, Uint8Array> = new Map(
  ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"].map((name) => [
    name,
    encodeCommon({ name, kind: "client", attributes: { "http.request.method": name } }),
  ]),
);
const commonOfOthers = encodeCommon({ name: "HTTP", kind: "client", attributes: { "http.request.method": "_OTHER" } });

/** Starts a client span with the names of the HTTP conventions, without the URL's userinfo and query. */
export function startClientSpan(
  source: SpanSource,
  { method, url }: OutboundCall,
  parent: Span,
  spanId: string | undefined,
): ClientSpan {
  const common = commons.get(method.toUpperCase()) ?? commonOfOthers;
  const span = new Span(source, { parent, spanId, common })
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
