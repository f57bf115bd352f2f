import type { IncomingMessage } from "node:http";
import { ToolError } from "../../../base/errors.ts";
import type { Answer } from "../answer.ts";
import { problemBody } from "../problem.ts";
import type { ShortRequest } from "../short-request.ts";

/**
 * Checks rules of RFC 9112 for the head of a request that Node does not check: one `Host` (3.2), and no transfer coding
 * but `chunked` (6.1), the only one that is decoded. Also allows only one `Authorization`: Node would use the first
 * one, other servers the last. Request smuggling exploits such differences between servers.
 *
 * @returns The refusal, if there is one
 */
export function checkFraming(request: IncomingMessage): Answer | undefined {
  if ((request as Partial<ShortRequest>).hasPlainHead === true) return undefined;
  const { rawHeaders, httpVersion } = request;
  let [hosts, authorizations] = [0, 0];
  let coding: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++;
    else if (name.length === 17 && name.toLowerCase() === "transfer-encoding")
      coding = coding === undefined ? rawHeaders[at + 1] : `${coding}, ${rawHeaders[at + 1]}`;
  }
  if (hosts > 1) return refusal(400, "The request has more than one Host header.");
  if (authorizations > 1) return refusal(400, "The request has more than one Authorization header.");
  if (coding === undefined) return undefined;
  if (httpVersion === "1.0") return refusal(400, "A request of HTTP/1.0 cannot have Transfer-Encoding.");
  if (/^chunked$/i.test(coding.trim())) return undefined;
  return refusal(501, "The only transfer coding that is understood is chunked.");
}

/** Makes a refusal after which the connection is closed, since it is unknown where the next request would begin. */
function refusal(status: 400 | 501, detail: string): Answer {
  return {
    status,
    headers: ["Content-Type", "application/problem+json", "Connection", "close"],
    body: JSON.stringify(problemBody(new ToolError("bad-request", detail), undefined, status)),
  };
}
