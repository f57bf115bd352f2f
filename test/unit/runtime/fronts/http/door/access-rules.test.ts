import { expect, test } from "vitest";
import { createAccessRules } from "../../../../../../runtime/fronts/http/door/access-rules.ts";
import { isLoopback } from "../../../../../../runtime/base/loopback.ts";

const hostRefused = "The Host header names a host that this service does not answer for (TENON_ALLOWED_HOSTS).";
const originRefused =
  "Pages of this origin may not call the service. List the origin in TENON_ALLOWED_ORIGINS or, where it is the service's own, its host in TENON_ALLOWED_HOSTS.";

test("without a list, addresses and localhost pass, a name passes only for a probe, and the log names the variable", () => {
  const lines: string[] = [];
  const rules = createAccessRules({ allowedHosts: undefined, allowedOrigins: [], warn: (line) => lines.push(line) });
  for (const host of ["10.0.0.1", "127.0.0.1:8090", "[::1]:8090", "localhost", "localhost:8090"])
    expect([host, rules(host, undefined)]).toEqual([host, undefined]);
  for (const host of ["evil.example.com", "evil.example.com:8090", "primes", "evil.example.com", "a\nb"])
    expect([host, rules(host, undefined)]).toEqual([host, hostRefused]);
  expect(rules("evil.example.com", undefined, "health")).toBe(undefined);
  const line = (name: string): string =>
    `A call by the name ${name} was refused, since a web page can make any name lead here. If it is a name of this service, start it with TENON_ALLOWED_HOSTS=${name}`;
  expect(lines).toEqual([line("evil.example.com"), line("primes")]);
  for (let round = 0; round < 50; round++) rules(`n${round}.example`, undefined);
  expect(lines).toHaveLength(10);
});

test("a handler that somebody else's server calls takes any name of programs, and no name of pages", () => {
  const rules = createAccessRules({ takesAnyName: true, allowedHosts: undefined, allowedOrigins: [] });
  expect(rules("evil.example.com", undefined)).toBe(undefined);
  expect(rules("10.0.0.1", "https://10.0.0.1")).toBe(undefined);
  expect(rules("10.0.0.1:8080", "https://10.0.0.1")).toBe(originRefused);
  expect(rules("10.0.0.1:443", "https://10.0.0.1")).toBe(undefined);
  expect(rules("[2001:db8::1]:80", "http://[2001:db8::1]")).toBe(undefined);
  for (const origin of ["http://a.example", "https://a.example", "https://b.example", "null", ""])
    expect([origin, rules("a.example", origin)]).toEqual([origin, originRefused]);
  expect(rules("a.example", undefined, "page")).toBe(hostRefused);
  expect(rules("10.0.0.1", undefined, "page")).toBe(undefined);
});

test("a listed name is the service's own, and only then", () => {
  const rules = createAccessRules({ allowedHosts: ["a.example"], allowedOrigins: [] });
  expect(rules("a.example", "https://a.example")).toBe(undefined);
  expect(rules("a.example:8080", "http://a.example:8080")).toBe(undefined);
  expect(rules("a.example:8080", "https://a.example")).toBe(originRefused);
  expect(rules("a.example", undefined, "page")).toBe(undefined);
});

test("other ports of loopback are refused, with a hint for whoever runs the service, once for each", () => {
  const warnings: string[] = [];
  const warn = (line: string): unknown => warnings.push(line);
  const rules = createAccessRules({
    allowedHosts: undefined,
    allowedOrigins: ["http://localhost:3000"],
    warn,
  });
  expect(rules("127.0.0.1:8090", "http://127.0.0.1:8090")).toBe(undefined);
  expect(rules("127.0.0.1:8090", "http://localhost:8090")).toBe(undefined);
  expect(rules("[::1]:8090", "http://localhost:8090")).toBe(undefined);
  expect(rules("127.0.0.1:8090", "http://localhost:3000")).toBe(undefined);
  for (const origin of ["http://localhost:5173", "http://localhost:5173", "http://localhost", "https://a.example"])
    expect([origin, rules("127.0.0.1:8090", origin)]).toEqual([origin, originRefused]);
  expect(warnings).toEqual([
    "A page of http://localhost:5173 was refused. To let it call, start the service with TENON_ALLOWED_ORIGINS=http://localhost:5173",
    "A page of http://localhost was refused. To let it call, start the service with TENON_ALLOWED_ORIGINS=http://localhost",
  ]);
});

test("with a list: its names, IP literals and localhost; health routes always", () => {
  const rules = createAccessRules({
    allowedHosts: ["tools.example.org"],
    allowedOrigins: ["https://app.example.org"],
  });
  for (const host of ["tools.example.org", "TOOLS.example.org:443", "10.0.0.1", "[::1]:80", "localhost"]) {
    expect([host, rules(host, undefined)]).toEqual([host, undefined]);
  }
  for (const host of [
    undefined,
    "",
    "example.org",
    "x.tools.example.org",
    "tools.example.org.",
    "tools.example.org@evil",
    "a b",
    "tools.example.org/x",
    "[::1",
  ]) {
    expect([host, rules(host, undefined)]).toEqual([host, hostRefused]);
  }
  expect(rules("evil", undefined, "health")).toBe(undefined);
  expect(rules("tools.example.org", "https://app.example.org")).toBe(undefined);
  expect(rules("tools.example.org", "https://app.example.org.evil")).toBe(originRefused);
});

test("loopback addresses", () => {
  for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "::1", "[::1]"])
    expect([host, isLoopback(host)]).toEqual([host, true]);
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "localhost.evil", "127.0.0.1.evil", "128.0.0.1"])
    expect([host, isLoopback(host)]).toEqual([host, false]);
});
