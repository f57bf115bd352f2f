import { describe, expect, test } from "vitest";
import { resolveOutboundPolicy } from "../../../../../runtime/service/config/outbound-policy.ts";
import { StartError } from "../../../../../runtime/base/start-error.ts";

describe("resolveOutboundPolicy", () => {
  test("nothing is set", () => {
    expect(resolveOutboundPolicy({ PLATFORM_PROXY_URL: "", PLATFORM_BASE_URL: "" })).toEqual({
      suffixes: [".local", ".minikube", ".platform.net"],
      sidecarOrigin: undefined,
      proxy: undefined,
      telemetry: [],
    });
  });

  test("everything is set", () => {
    const policy = resolveOutboundPolicy({
      PLATFORM_DOMAIN_SUFFIX: "P.Example.",
      PLATFORM_BASE_URL: "http://LOCALHOST:9999/base/",
      PLATFORM_PROXY_URL: "https://[::1]/forward?to=any",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://c.local:4318/",
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://logs.local/v1/logs/",
      OBSERVER_URL: "https://observer.example/api",
    });
    expect(policy).toEqual({
      suffixes: [".local", ".minikube", ".p.example"],
      sidecarOrigin: "http://localhost:9999",
      proxy: { origin: "https://[::1]", protocol: "https:", hostname: "::1", port: 443, path: "/forward?to=any" },
      telemetry: [
        { origin: "http://c.local:4318", path: "" },
        { origin: "http://logs.local", path: "/v1/logs" },
        { origin: "https://observer.example", path: "/api" },
      ],
    });
  });

  test.each([
    ["PLATFORM_PROXY_URL", "proxy:3128", 'PLATFORM_PROXY_URL is "proxy:3128"; it must be an http or https URL.'],
    ["PLATFORM_PROXY_URL", "ftp://proxy/", 'PLATFORM_PROXY_URL is "ftp://proxy/"; it must be an http or https URL.'],
    [
      "PLATFORM_PROXY_URL",
      "http://me:secret@proxy/",
      "PLATFORM_PROXY_URL must not hold a user name or a password; they would be sent nowhere.",
    ],
    ["PLATFORM_BASE_URL", "localhost", 'PLATFORM_BASE_URL is "localhost"; it must be an http or https URL.'],
    [
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "ftp://c:4317",
      'OTEL_EXPORTER_OTLP_ENDPOINT is "ftp://c:4317"; it must be an http or https URL.',
    ],
    ...[".", "a..b", "*.b", "a b", "127.0.0.1", "a/b", "a:80", "a@b"].map((suffix): [string, string, string] => [
      "PLATFORM_DOMAIN_SUFFIX",
      suffix,
      `PLATFORM_DOMAIN_SUFFIX is "${suffix}"; it must be the end of a host name such as .platform.net.`,
    ]),
  ])("%s=%s ends the start", (name, value, message) => {
    expect(() => resolveOutboundPolicy({ [name]: value })).toThrow(new StartError(message));
  });
});
