import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { Tracer } from "@opentelemetry/api";
import type { ClientSpans } from "../client-span.ts";
import { describeThrown } from "../describe-thrown.ts";
import { SdkJobSpan } from "./job-spans.ts";
import { traceparentOf, tracestateOf } from "./parent-context.ts";

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

/** Client spans with the names of the HTTP conventions; of the URL neither userinfo nor query. */
export function createClientSpans(tracer: Tracer): ClientSpans {
  return {
    start(job, { method, url }) {
      const verb = method.toUpperCase();
      const known = knownMethods.has(verb) ? verb : "HTTP";
      const span = tracer.startSpan(
        known,
        {
          kind: SpanKind.CLIENT,
          attributes: {
            "http.request.method": known === "HTTP" ? "_OTHER" : known,
            "server.address": url.hostname,
            "server.port": url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
            "url.full": `${url.origin}${url.pathname}${url.search === "" ? "" : "?[redacted]"}`,
          },
        },
        job instanceof SdkJobSpan ? job.context : undefined,
      );
      const context = span.spanContext();
      let ended = false;
      return {
        traceparent: traceparentOf(context),
        tracestate: tracestateOf(context),
        ended(result) {
          if (ended) return;
          ended = true;
          if ("status" in result) span.setAttribute("http.response.status_code", result.status);
          const failure =
            "error" in result
              ? describeThrown(result.error).type
              : result.status >= 400
                ? String(result.status)
                : undefined;
          if (failure !== undefined) span.setAttribute("error.type", failure).setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
  };
}
