import type { HttpCall } from "../../job/job.ts";
import type { Attributes } from "@opentelemetry/api";
import { problemKinds } from "../../base/problem-kinds.ts";
import type { ObservedJob } from "../../job/job-span.ts";
import { cleanText } from "./attributes.ts";

/**
 * The attributes of an HTTP server span, by the conventions, for a job's request. Query and client address are left
 * out.
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
    // The route is the path, since routes of tools have no parameters.
    "http.route": path,
    "url.path": path,
    "url.scheme": schemeOf(headers["x-forwarded-proto"]),
    ...(httpVersion !== undefined && { "network.protocol.version": httpVersion }),
    ...serverAttributes(headers.host),
    ...(agent !== undefined && { "user_agent.original": cleanText(agent, authorization) }),
  };
}

/** The attributes of the response: the status of the outcome, unless the call was answered before the job ended. */
export function responseAttributes({ headersSent, statusCode }: HttpCall, outcome: ObservedJob["outcome"]): Attributes {
  if (headersSent) return { "http.response.status_code": statusCode };
  if (outcome === undefined) return {};
  const status = outcome.state === "succeeded" ? 200 : problemKinds[outcome.error.kind].status;
  return { "http.response.status_code": status };
}

/** Services use plain HTTP; a proxy in front of them terminates TLS. */
function schemeOf(forwarded: string | readonly string[] | undefined): "http" | "https" {
  return String(forwarded).toLowerCase().startsWith("https") ? "https" : "http";
}

function serverAttributes(host: string | undefined): Attributes {
  const url = host === undefined ? null : URL.parse(`http://${host}`);
  if (url === null || url.hostname === "") return {};
  return { "server.address": url.hostname, ...(url.port !== "" && { "server.port": Number(url.port) }) };
}
