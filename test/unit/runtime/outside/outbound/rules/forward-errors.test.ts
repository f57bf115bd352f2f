import { describe, expect, test } from "vitest";
import { diagnoseForward, ForwardError } from "../../../../../../runtime/outside/outbound/rules/forward-errors.ts";

const asked = { proxyOrigin: "http://proxy:3128", forwardUrl: "http://example.com/list?secret=1" };

function diagnose(status: number, headers: Record<string, string> = {}): ForwardError | undefined {
  return diagnoseForward({ ...asked, status, header: (name) => headers[name] });
}

describe("diagnoseForward", () => {
  test("431 names the header, its length and the likely cause, but not the query", () => {
    const error = diagnose(431);
    expect(error).toBeInstanceOf(ForwardError);
    expect(error?.code).toBe("ERR_FORWARD_HEADER_TOO_LARGE");
    expect(error?.message).toBe(
      "The forwarding proxy http://proxy:3128 answered 431 (Request Header Fields Too Large) to a request for http://example.com/list. " +
        "The URL travels in the header Platform-Forward-Url, which has 32 bytes here: the proxy cannot handle a header that long, " +
        "or it does not implement the forward-by-header protocol. Send the data in the body instead of the query, or raise the " +
        "proxy's limit for request headers.",
    );
  });

  test.each([
    [407, {}, "a demand for proxy credentials"],
    [400, { "x-squid-error": "ERR_INVALID_URL 0" }, "X-Squid-Error: ERR_INVALID_URL 0"],
    [400, { server: "tinyproxy/1.11.1" }, "server: tinyproxy/1.11.1"],
    [400, { server: "mitmproxy 11.0" }, "server: mitmproxy 11.0"],
    [500, { "proxy-agent": "Privoxy 3.0" }, "proxy-agent: Privoxy 3.0"],
    ...[400, 403, 404, 405, 421, 500, 501].map((status): [number, Record<string, string>, string] => [
      status,
      { via: "1.1 squid" },
      "via: 1.1 squid",
    ]),
    [400, { server: `squid ${"x".repeat(54)}` }, `server: squid ${"x".repeat(54)}`],
    [400, { server: `squid ${"x".repeat(55)}` }, `server: squid ${"x".repeat(54)}…`],
  ])("%i with %j is a generic proxy", (status, headers, sign) => {
    const error = diagnose(status, headers);
    expect(error?.code).toBe("ERR_FORWARD_PROXY_GENERIC");
    expect(error?.message).toBe(
      `PLATFORM_PROXY_URL (http://proxy:3128) is a generic HTTP proxy: it answered ${status} with ${sign} to a request for ` +
        "http://example.com/list. Generic forward and CONNECT proxies do not work here: the variable must name a listener that " +
        "fetches the URL in the header Platform-Forward-Url.",
    );
  });

  test.each([
    ...[200, 401, 402, 406, 422, 499, 502, 503].map((status): [number, Record<string, string>] => [
      status,
      { server: "squid/6" },
    ]),
    [404, { server: "nginx" }],
    [404, { "x-squid-error": "ERR_DNS_FAIL 0" }],
    [400, {}],
  ])("%i with %j may be the destination's answer", (status, headers) => {
    expect(diagnose(status, headers)).toBeUndefined();
  });
});
