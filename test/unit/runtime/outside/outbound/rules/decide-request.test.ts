import { describe, expect, test } from "vitest";
import {
  classifyDestination,
  decideRequest,
  type OutboundRequest,
} from "../../../../../../runtime/outside/outbound/rules/decide-request.ts";
import type { OutboundJob } from "../../../../../../runtime/outside/outbound/rules/job-headers.ts";
import { resolveOutboundPolicy } from "../../../../../../runtime/service/config/outbound-policy.ts";

const job: OutboundJob = {
  id: "urn:platform:job:9",
  authorization: "Bearer T",
  traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
  tracestate: "v=1",
};
const trace = { traceparent: job.traceparent, tracestate: "v=1" };
const id = { "platform-job-id": "urn:platform:job:9" };
const token = { authorization: "Bearer T" };

const env = { PLATFORM_BASE_URL: "http://localhost:9999", OTEL_EXPORTER_OTLP_ENDPOINT: "http://c.local:4318/otel" };
const withProxy = { ...env, PLATFORM_PROXY_URL: "http://proxy.local:3128/forward" };

interface Case {
  readonly env?: Record<string, string>;
  readonly sent?: Partial<OutboundRequest["sent"]>;
  readonly route?: OutboundRequest["route"];
  readonly job?: Partial<OutboundJob>;
}

/** Headers that a request to a URL gets; undefined in front when it goes where it says. */
function decide(url: string, { env: vars = env, sent, route = "known", job: changed }: Case = {}): object {
  const policy = resolveOutboundPolicy(vars);
  const { origin, pathname, search } = new URL(url);
  const to = classifyDestination(new URL(origin), policy);
  const request = { to, path: pathname + search, sent: { authorization: false, traceparent: false, ...sent }, route };
  const { add, forward } = decideRequest(request, { ...job, ...changed }, policy);
  expect(forward).toBe("platform-forward-url" in add);
  return add;
}

describe("token", () => {
  test.each([
    "http://svc.local/",
    "https://svc.minikube:8443/",
    "http://a.platform.net/x",
    "http://localhost:9999/events/1",
  ])("%s gets it", (url) => expect(decide(url)).toEqual({ ...id, ...trace, ...token }));

  test.each([
    "http://example.com/",
    "http://platform.net/",
    "http://localhost:9998/",
    "http://127.0.0.1:9999/",
    "https://localhost:9999/",
  ])("%s does not", (url) => expect(decide(url)).toEqual({ ...id, ...trace }));

  test.each(["http://far.example/", "HTTPS://far.example/x", "far.example:443", "ftp://far.example/"])(
    "a local proxy that is to pass a request on to %s does not",
    (path) => {
      const policy = resolveOutboundPolicy(env);
      const to = classifyDestination(new URL("http://squid.local:3128"), policy);
      const sent = { authorization: false, traceparent: false };
      expect(decideRequest({ to, path, sent, route: "known" }, job, policy).add).toEqual({ ...id, ...trace });
    },
  );

  test("never outside the platform", () => {
    expect(decide("http://svc.local/", { env: {} })).toEqual({ ...id, ...trace });
  });

  test("never over the author's own", () => {
    expect(decide("http://svc.local/", { sent: { authorization: true } })).toEqual({ ...id, ...trace });
  });

  test.each(["redirected", "foreign"] as const)("not on a %s way", (route) => {
    expect(decide("http://svc.local/", { route })).toEqual({ ...id, ...trace });
  });

  test.each(["a\r\nb", "a\0", "Bearer ☃", "", "x".repeat(8193)])("not %j, which is no header", (authorization) => {
    expect(decide("http://svc.local/", { job: { authorization } })).toEqual({ ...id, ...trace });
  });
});

describe("job id and trace", () => {
  test("an id that is no header is encoded", () => {
    expect(decide("http://example.com/", { job: { id: "a\r\nX: 1" } })).toEqual({
      ...trace,
      "platform-job-id": "a%0D%0AX%3A%201",
    });
  });

  test("a lone surrogate and a very long id do no harm", () => {
    expect(decide("http://example.com/", { job: { id: "\ud800" } })).toEqual({
      ...trace,
      "platform-job-id": "%EF%BF%BD",
    });
    expect(decide("http://example.com/", { job: { id: "x".repeat(2000) } })).toEqual(trace);
  });

  test("the author's trace context stays, and a broken one is not sent", () => {
    expect(decide("http://example.com/", { sent: { traceparent: true } })).toEqual(id);
    expect(decide("http://example.com/", { job: { traceparent: "00-x" } })).toEqual(id);
    expect(decide("http://example.com/", { job: { tracestate: "a\nb" } })).toEqual({
      ...id,
      traceparent: job.traceparent,
    });
  });
});

describe("telemetry", () => {
  test.each([
    "http://c.local:4318/otel",
    "http://C.LOCAL:4318/otel/v1/traces",
    "http://c.local:4318/otel?x",
    "http://c.local:4318/x/../otel/v1",
  ])("%s gets neither token nor trace", (url) => expect(decide(url)).toEqual(id));

  test.each([
    "http://c.local:4318/otelx",
    "http://c.local:4318/",
    "http://c.local:43180/otel",
    "http://c.local/otel",
    "https://c.local:4318/otel",
  ])("%s is an ordinary local request", (url) => expect(decide(url)).toEqual({ ...id, ...trace, ...token }));

  test.each(["http://c.local:4318@attacker.example/otel", "http://c.local.4318.attacker.example/otel"])(
    "%s is no endpoint",
    (url) => {
      expect(decide(url)).toEqual({ ...id, ...trace });
    },
  );
});

describe("proxy", () => {
  const forwarded = (url: string): object => ({ ...id, ...trace, "platform-forward-url": url });

  test.each([
    ["http://example.com:81/a b?x=1&y=+2", "http://example.com:81/a%20b?x=1&y=+2"],
    ["https://user:pass@example.com/p#fragment", "https://example.com/p"],
    ["http://127.0.0.1/", "http://127.0.0.1/"],
    ["http://localhost:8080/ü", "http://localhost:8080/%C3%BC"],
  ])("%s is forwarded as %s", (url, expected) => {
    expect(decide(url, { env: withProxy })).toEqual(forwarded(expected));
  });

  test("a redirect to an external host is forwarded too", () => {
    expect(decide("http://example.com/", { env: withProxy, route: "redirected" })).toEqual(
      forwarded("http://example.com/"),
    );
  });

  test.each([
    ["http://svc.local/", { ...id, ...trace, ...token }],
    ["http://localhost:9999/events/1", { ...id, ...trace, ...token }],
    ["http://proxy.local:3128/forward", { ...id, ...trace }],
    ["http://c.local:4318/otel/v1/logs", id],
  ])("%s is not", (url, expected) => {
    expect(decide(url, { env: withProxy })).toEqual(expected);
  });

  test("external telemetry is not forwarded", () => {
    const vars = { ...withProxy, OTEL_EXPORTER_OTLP_ENDPOINT: "https://otel.example/v1" };
    expect(decide("https://otel.example/v1/traces", { env: vars })).toEqual(id);
    expect(decide("https://otel.example/other", { env: vars })).toEqual({ ...id, ...trace });
  });

  test("a way that nobody knows is left alone", () => {
    expect(decide("http://example.com/", { env: withProxy, route: "foreign" })).toEqual({ ...id, ...trace });
  });

  test("proxy and sidecar on one origin: the sidecar's requests carry the token, forwarded ones do not", () => {
    const vars = { ...env, PLATFORM_PROXY_URL: "http://localhost:9999/proxy" };
    expect(decide("http://localhost:9999/results/1", { env: vars })).toEqual({ ...id, ...trace, ...token });
    expect(decide("http://example.com/", { env: vars })).toEqual(forwarded("http://example.com/"));
  });
});
