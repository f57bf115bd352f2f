import { classifyHost } from "../../../service/config/classify-host.ts";
import { jobHeaders, type OutboundJob } from "./job-headers.ts";
import type { OutboundPolicy } from "../../../service/config/outbound-policy.ts";

/** Policy for an origin; the same for all requests to it. */
export interface Destination {
  readonly origin: string;
  /** True if the origin may see the job's token: a local host, or the sidecar. */
  readonly trusted: boolean;
  /** True for an origin that is never reached through the proxy: a trusted origin, telemetry, the proxy itself. */
  readonly direct: boolean;
  /** Paths of telemetry endpoints at this origin. */
  readonly telemetryPaths: readonly string[];
}

/** Headers that the author's code has set. */
export interface SentHeaders {
  readonly authorization: boolean;
  readonly traceparent: boolean;
  readonly baggage?: boolean | undefined;
}

/** Input of the decision about one request. */
export interface OutboundRequest {
  readonly to: Destination;
  /** Path and query, as the client would write them. */
  readonly path: string;
  readonly sent: SentHeaders;
  /**
   * Route of a request. `known`: the route to the host is known, and no foreign host has redirected to it. Requests on
   * other routes get neither token nor proxy.
   */
  readonly route: "known" | "redirected" | "foreign";
}

/** Headers that we add, with lower-case names. */
export interface AddedHeaders {
  readonly "platform-job-id"?: string;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
  readonly authorization?: string;
  readonly "platform-forward-url"?: string;
}

export interface Decision {
  readonly add: AddedHeaders;
  /** True if the request goes to the proxy, which forwards it; a header names the destination. */
  readonly forward: boolean;
}

export const jobIdHeader = "platform-job-id";
export const forwardHeader = "platform-forward-url";

/** Looks an origin up in the policy. */
export function classifyDestination(url: URL, policy: OutboundPolicy): Destination {
  const { origin, hostname } = url;
  const { proxy, sidecarOrigin, telemetry, suffixes } = policy;
  const isSidecar = origin === sidecarOrigin;
  const isProxy = origin === proxy?.origin;
  const local = classifyHost(hostname, suffixes) === "local";
  const telemetryPaths = telemetry.filter((endpoint) => endpoint.origin === origin).map(({ path }) => path);
  return {
    origin,
    // The proxy itself never gets a token, since it would forward all headers to the destination.
    trusted: sidecarOrigin !== undefined && (isSidecar || (local && !isProxy)),
    direct: isSidecar || isProxy || local || telemetryPaths.length > 0,
    telemetryPaths,
  };
}

/**
 * Decides which headers to add to a request of a job, and where to send it. A pure function; all inputs are arguments.
 */
export function decideRequest(request: OutboundRequest, job: OutboundJob, policy: OutboundPolicy): Decision {
  const { to, path, sent, route } = request;
  const telemetry = isTelemetry(to, path);
  const forward = policy.proxy !== undefined && !to.direct && route !== "foreign";
  const { id, authorization, traceparent, tracestate, baggage } = jobHeaders(job);
  const add: MutableHeaders = {};
  if (id !== undefined) add[jobIdHeader] = id;
  if (traceparent !== undefined && !telemetry && !sent.traceparent) {
    add.traceparent = traceparent;
    if (tracestate !== undefined) add.tracestate = tracestate;
  }
  if (baggage !== undefined && !telemetry && sent.baggage !== true) add.baggage = baggage;
  const mayKnow = to.trusted && !telemetry && route === "known" && !sent.authorization && isOriginForm(path);
  if (mayKnow && authorization !== undefined) add.authorization = authorization;
  if (forward) add[forwardHeader] = forwardUrl(to.origin, path);
  return { add, forward };
}

/**
 * True for a normal path. Any other form is a request to the author's own proxy, which forwards it to a host that was
 * not checked.
 */
function isOriginForm(path: string): boolean {
  return path[0] === "/" || path[0] === "?" || path === "*";
}

type MutableHeaders = { -readonly [name in keyof AddedHeaders]: AddedHeaders[name] };

function isTelemetry({ origin, telemetryPaths }: Destination, path: string): boolean {
  if (telemetryPaths.length === 0) return false;
  // Dots are resolved first, since `/x/../v1/traces` reaches the endpoint as well.
  const pathname = URL.parse(path.startsWith("/") ? origin + path : `${origin}/${path}`)?.pathname ?? path;
  return telemetryPaths.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
}

/**
 * Value of `Platform-Forward-Url`: the absolute URL of the destination, in printable ASCII, without fragment.
 *
 * @param origin From `URL.origin`, so without user information.
 * @param path Path and query as they are sent; an absolute URL when the author calls a proxy of their own, which then
 *   is the destination.
 */
export function forwardUrl(origin: string, path: string): string {
  const absolute = /^https?:\/\//i.test(path) ? URL.parse(path) : null;
  const full =
    absolute === null
      ? origin + (path.startsWith("/") ? path : `/${path}`)
      : absolute.origin + absolute.pathname + absolute.search;
  const end = full.indexOf("#");
  // Clients write a path as Latin-1, so one character is one byte here too.
  return (end === -1 ? full : full.slice(0, end)).replace(/[^\x21-\x7e]/g, (char) => percent(char.charCodeAt(0)));
}

function percent(code: number): string {
  if (code > 0xff) return encodeURIComponent(String.fromCharCode(code).toWellFormed());
  return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
}
