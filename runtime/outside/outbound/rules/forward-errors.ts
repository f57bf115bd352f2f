/** A forwarded request failed because of the proxy, not because of the destination. */
export class ForwardError extends Error {
  override readonly name: string = "ForwardError";
  readonly code: "ERR_FORWARD_HEADER_TOO_LARGE" | "ERR_FORWARD_PROXY_GENERIC";
  /** HTTP status of the proxy's answer. */
  readonly status: number;

  constructor(code: ForwardError["code"], status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** An answer of the proxy, with the request's header. */
export interface ForwardAnswer {
  readonly proxyOrigin: string;
  /** Value of the forwarding header in the request. */
  readonly forwardUrl: string;
  readonly status: number;
  /** Value of a response header; the name is in lower case. */
  readonly header: (name: string) => string | undefined;
}

const headerName = "Platform-Forward-Url";
const genericServers = /\b(?:squid|tinyproxy|privoxy|mitmproxy|3proxy|polipo|goproxy|trafficserver)\b/i;
// Statuses by which a generic proxy refuses a form of request that it does not know.
const notUnderstood: ReadonlySet<number> = new Set([400, 403, 404, 405, 421, 500, 501]);

/** Explains a misconfigured proxy by its answer; undefined for every answer that may come from the destination. */
export function diagnoseForward(answer: ForwardAnswer): ForwardError | undefined {
  const { status, proxyOrigin, forwardUrl } = answer;
  if (status === 431) {
    return new ForwardError(
      "ERR_FORWARD_HEADER_TOO_LARGE",
      status,
      `The forwarding proxy ${proxyOrigin} answered 431 (Request Header Fields Too Large) to a request for ` +
        `${withoutQuery(forwardUrl)}. The URL travels in the header ${headerName}, which has ${forwardUrl.length} bytes here: ` +
        "the proxy cannot handle a header that long, or it does not implement the forward-by-header protocol. " +
        "Send the data in the body instead of the query, or raise the proxy's limit for request headers.",
    );
  }
  const sign = genericSign(answer);
  if (sign === undefined) return undefined;
  return new ForwardError(
    "ERR_FORWARD_PROXY_GENERIC",
    status,
    `PLATFORM_PROXY_URL (${proxyOrigin}) is a generic HTTP proxy: it answered ${status} with ${sign} to a request for ` +
      `${withoutQuery(forwardUrl)}. Generic forward and CONNECT proxies do not work here: the variable must name a ` +
      `listener that fetches the URL in the header ${headerName}.`,
  );
}

function genericSign({ status, header }: ForwardAnswer): string | undefined {
  if (status === 407) return "a demand for proxy credentials";
  if (!notUnderstood.has(status)) return undefined;
  const squid = header("x-squid-error");
  if (squid?.startsWith("ERR_INVALID") === true) return `X-Squid-Error: ${shorten(squid)}`;
  for (const name of ["server", "via", "proxy-agent"]) {
    const value = header(name);
    if (value !== undefined && genericServers.test(value)) return `${name}: ${shorten(value)}`;
  }
  return undefined;
}

// Removes the query of a URL: it may contain secrets, which must not appear in a log.
function withoutQuery(url: string): string {
  return url.replace(/\?.*$/, "");
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}\u2026` : text;
}
