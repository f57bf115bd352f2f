import { expect, test } from "vitest";
import { ToolError } from "../../../../../../runtime/base/errors.ts";
import { createRateLimit, networkOf } from "../../../../../../runtime/fronts/http/middleware/rate-limit.ts";

function waitOf(limit: (who: string) => void, who: string): number | undefined {
  try {
    limit(who);
    return undefined;
  } catch (error) {
    if (error instanceof ToolError && error.kind === "too-many-requests") return error.retryAfter;
    throw error;
  }
}

test("everybody has a burst, and then the rate", () => {
  let time = 5000;
  const limit = createRateLimit({ count: 3, seconds: 60 }, () => time);
  expect([1, 2, 3].map(() => waitOf(limit, "ann"))).toEqual([undefined, undefined, undefined]);
  expect(waitOf(limit, "ann")).toBe(20);
  expect(() => limit("ann")).toThrow("More than 3 requests in 60 s. Try again later.");
  expect(waitOf(limit, "bob")).toBe(undefined);
  time += 19_000;
  expect(waitOf(limit, "ann")).toBe(1);
  time += 1000;
  expect([waitOf(limit, "ann"), waitOf(limit, "ann")]).toEqual([undefined, 20]);
  time += 3_600_000;
  expect([1, 2, 3].map(() => waitOf(limit, "ann"))).toEqual([undefined, undefined, undefined]);
  expect(waitOf(limit, "ann")).toBe(20);
});

test("a hundred thousand callers are counted, each on its own", () => {
  const limit = createRateLimit({ count: 2, seconds: 3600 }, () => 0);
  for (let caller = 0; caller < 100_000; caller++) limit(`caller ${caller}`);
  expect([waitOf(limit, "caller 99999"), waitOf(limit, "caller 99999")]).toEqual([undefined, 1800]);
});

test("a caller is forgotten after ten thousand others have called in a generation without it", () => {
  const limit = createRateLimit({ count: 1, seconds: 3600 }, () => 0);
  const others = (from: number, count: number): void => {
    for (let other = from; other < from + count; other++) limit(`other ${other}`);
  };
  limit("ann");
  others(0, 9999);
  others(10_000, 9999);
  expect(waitOf(limit, "ann")).toBe(3600);
  others(20_000, 1);
  expect(waitOf(limit, "ann")).toBe(undefined);
});

test("one network of IPv6 is one address", () => {
  const at = networkOf;
  expect(at("10.0.0.1")).toBe("10.0.0.1");
  expect(at("::ffff:10.0.0.1")).toBe("::ffff:10.0.0.1");
  expect(at("2001:db8:1:2:aaaa::1")).toBe(at("2001:db8:1:2:bbbb::2"));
  expect(at("2001:db8:1:2::1")).not.toBe(at("2001:db8:1:3::1"));
  expect(at("2001:db8:1:2::1")).not.toBe(at("2002:db8:1:2::1"));
  expect(at(undefined)).toBe("");
});

test("one network of IPv6 is one address, wherever its zeros are left out", () => {
  const networks = [
    ["2001:db8::1:2:3:4", "2001:db8::9:2:3:4", "2001:db8:0:0:1::", "2001:db8::"],
    ["2001:db8:0:1::1", "2001:db8:0:1:2:3:4:5"],
    ["::1", "::1:2:3:4", "0:0:0:0:1::", "::"],
    ["::1:2:3:4:5", "0:0:0:1::"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::8"],
    ["1:2:3::4:5:6:7", "1:2:3:0:1::"],
    ["fe80::1%eth0", "fe80::2:3:4:5%eth0"],
  ];
  const keys = networks.map((addresses) => [...new Set(addresses.map((address) => networkOf(address)))]);
  expect(keys).toEqual([
    ["2001:db8:0:0"],
    ["2001:db8:0:1"],
    ["0:0:0:0"],
    ["0:0:0:1"],
    ["1:2:3:4"],
    ["1:2:3:0"],
    ["fe80:0:0:0"],
  ]);
});
