import type { Attributes } from "@opentelemetry/api";
import { problemKinds } from "../../base/problem-kinds.ts";
import type { HttpCall } from "../../job/http-call.ts";
import type { ObservedJob } from "../../job/job-span.ts";
import { cleanText } from "./attributes.ts";

/**
 * The attributes of an HTTP server span, by the conventions: of a job's request, whose query no route reads. The
 * client's address is not among them.
 */
export function requestAttributes(
  { req }: HttpCall,
  { authorization }: Pick<ObservedJob, "authorization">,
): Attributes {
  const { method = "POST", url = "", headers, httpVersion } = req;
  const [path] = url.split("?", 1);
  const agent = headers["user-agent"];
  return {
    "http.request.method": method,
    // Routes of tools have no parameters.
    "http.route": path,
    "url.path": path,
    "url.scheme": schemeOf(headers["x-forwarded-proto"]),
    ...(httpVersion !== undefined && { "network.protocol.version": httpVersion }),
    ...serverAttributes(headers.host),
    ...(agent !== undefined && { "user_agent.original": cleanText(agent, authorization) }),
  };
}

/** The status of the answer: that of the outcome, unless the call was answered before the job's end. */
export function responseAttributes({ headersSent, statusCode }: HttpCall, outcome: ObservedJob["outcome"]): Attributes {
  if (headersSent) return { "http.response.status_code": statusCode };
  if (outcome === undefined) return {};
  const status = outcome.state === "succeeded" ? 200 : problemKinds[outcome.error.kind].status;
  return { "http.response.status_code": status };
}

/** Services speak HTTP; TLS ends in front of them. */
function schemeOf(forwarded: string | readonly string[] | undefined): "http" | "https" {
  return String(forwarded).toLowerCase().startsWith("https") ? "https" : "http";
}

function serverAttributes(host: string | undefined): Attributes {
  const url = host === undefined ? null : URL.parse(`http://${host}`);
  if (url === null || url.hostname === "") return {};
  return { "server.address": url.hostname, ...(url.port !== "" && { "server.port": Number(url.port) }) };
}
