/** The part of a request's head that decides about CORS headers. */
export interface CorsRequest {
  readonly method: string | undefined;
  readonly origin: string | undefined;
  /** `Access-Control-Request-Method` and `-Headers`. */
  readonly askedMethod: string | undefined;
  readonly askedHeaders: string | undefined;
}

export interface CorsDecision {
  /** Headers of the answer. Names and values alternate. */
  readonly headers: readonly string[];
  /** True for a preflight, for which status 204 with these headers is the whole answer. */
  readonly isPreflight: boolean;
}

/** Decides which headers allow a page of another origin to read an answer. */
export type Cors = (request: CorsRequest) => CorsDecision;

/** Headers that callers may send in addition to those that CORS always allows. */
const callHeaders: readonly string[] = [
  "authorization",
  "content-type",
  "prefer",
  "timeout",
  "job-id",
  "idempotency-key",
  "traceparent",
  "tracestate",
  "baggage",
  "last-event-id",
  "cache-control",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
];
/** Headers that repeat arguments of tools. */
const parameterHeader = /^mcp-param-[!#$%&'*+.^_`|~\w-]{1,100}$/;

const exposed = "Location, Retry-After, Retry-Later, job-id, Mcp-Session-Id, Platform-Tool-Version, WWW-Authenticate";
/** Seconds for which a browser may cache the preflight; Chromium accepts no more. */
const maxAge = "7200";

/** CORS for exactly these origins. Never with credentials: access tokens travel in a header that the page sets. */
export function createCors(origins: readonly string[]): Cors {
  const listed = new Set(origins);
  return ({ method, origin, askedMethod, askedHeaders = "" }) => {
    // `Vary` keeps caches from giving a page an answer without the CORS headers. It is not needed for POST, whose
    // answers are not cached.
    const vary = origin !== undefined || method === "GET" || method === "HEAD" ? ["Vary", "Origin"] : [];
    if (origin === undefined || !listed.has(origin)) return { headers: vary, isPreflight: false };
    const allowed = [...vary, "Access-Control-Allow-Origin", origin];
    if (method !== "OPTIONS" || askedMethod === undefined)
      return { headers: [...allowed, "Access-Control-Expose-Headers", exposed], isPreflight: false };
    const names = askedHeaders.toLowerCase().split(",");
    const parameters = names.map((name) => name.trim()).filter((name) => parameterHeader.test(name));
    const headers = [
      ...allowed,
      "Access-Control-Allow-Methods",
      "GET, HEAD, POST, PUT, DELETE",
      "Access-Control-Allow-Headers",
      [...callHeaders, ...parameters].join(", "),
      "Access-Control-Max-Age",
      maxAge,
    ];
    return { headers, isPreflight: true };
  };
}
