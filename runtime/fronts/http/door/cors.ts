/** The part of a request's head that decides what a web page is told. */
export interface CorsRequest {
  readonly method: string | undefined;
  readonly origin: string | undefined;
  /** `Access-Control-Request-Method` and `-Headers`. */
  readonly askedMethod: string | undefined;
  readonly askedHeaders: string | undefined;
}

export interface CorsDecision {
  /** Headers of the answer. Names and values in turn. */
  readonly headers: readonly string[];
  /** The request is a preflight: 204 with these headers is the whole answer. */
  readonly isPreflight: boolean;
}

/** Decides what a browser is told, so that it hands an answer to a page of another origin. */
export type Cors = (request: CorsRequest) => CorsDecision;

/** Headers that calls may have beside those that every page may send. */
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
/** Arguments of tools that travel as headers. */
const parameterHeader = /^mcp-param-[!#$%&'*+.^_`|~\w-]{1,100}$/;

const exposed = "Location, Retry-After, Retry-Later, job-id, Mcp-Session-Id, Platform-Tool-Version, WWW-Authenticate";
/** Seconds for which a browser need not ask again; Chromium takes no more. */
const maxAge = "7200";

/** CORS for exactly these origins. Never with credentials: access tokens travel in a header that the page sets. */
export function createCors(origins: readonly string[]): Cors {
  const listed = new Set(origins);
  return ({ method, origin, askedMethod, askedHeaders = "" }) => {
    // Caches must not hand a page an answer without the headers; none of them keeps that of a POST.
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
      "GET, HEAD, POST, DELETE",
      "Access-Control-Allow-Headers",
      [...callHeaders, ...parameters].join(", "),
      "Access-Control-Max-Age",
      maxAge,
    ];
    return { headers, isPreflight: true };
  };
}
