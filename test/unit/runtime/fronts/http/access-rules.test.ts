import { expect, test } from "vitest";
import { createAccessRules } from "../../../../../runtime/fronts/http/access-rules.ts";
import { isLoopback } from "../../../../../runtime/base/loopback.ts";

const hostRefused = "The Host header names a host that this service does not answer for (TENON_ALLOWED_HOSTS).";
const originRefused = "Requests of this origin are not allowed (TENON_ALLOWED_ORIGINS).";

test("bound elsewhere without a list, any Host passes, and Origin is still checked", () => {
  const rules = createAccessRules({ host: "0.0.0.0", allowedHosts: undefined, allowedOrigins: [] });
  expect(rules("evil.example.com", undefined, false)).toBe(undefined);
  expect(rules("a.example", "https://a.example", false)).toBe(undefined);
  expect(rules("a.example", "https://b.example", false)).toBe(originRefused);
  expect(rules("a.example:8080", "https://a.example", false)).toBe(originRefused);
  expect(rules("a.example:443", "https://a.example", false)).toBe(undefined);
  expect(rules("a.example", "null", false)).toBe(originRefused);
  expect(rules("a.example", "", false)).toBe(originRefused);
});

test("with a list: its names, IP literals and localhost; health routes always", () => {
  const rules = createAccessRules({
    host: "0.0.0.0",
    allowedHosts: ["tools.example.org"],
    allowedOrigins: ["https://app.example.org"],
  });
  for (const host of ["tools.example.org", "TOOLS.example.org:443", "10.0.0.1", "[::1]:80", "localhost"]) {
    expect([host, rules(host, undefined, false)]).toEqual([host, undefined]);
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
    expect([host, rules(host, undefined, false)]).toEqual([host, hostRefused]);
  }
  expect(rules("evil", undefined, true)).toBe(undefined);
  expect(rules("tools.example.org", "https://app.example.org", false)).toBe(undefined);
  expect(rules("tools.example.org", "https://app.example.org.evil", false)).toBe(originRefused);
});

test("loopback addresses", () => {
  for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "::1", "[::1]"])
    expect([host, isLoopback(host)]).toEqual([host, true]);
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "localhost.evil", "127.0.0.1.evil", "128.0.0.1"])
    expect([host, isLoopback(host)]).toEqual([host, false]);
});
