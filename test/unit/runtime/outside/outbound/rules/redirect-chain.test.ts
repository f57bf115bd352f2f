import { describe, expect, test } from "vitest";
import {
  followChain,
  noteRedirect,
  startChain,
} from "../../../../../../runtime/outside/outbound/rules/redirect-chain.ts";

describe("followChain", () => {
  const follow = (...hops: (readonly [origin: string, external: boolean])[]): string[] => {
    const chain = startChain(undefined);
    return hops.map(([origin, external]) => followChain(chain, origin, external));
  };

  test("a hop that an external host led to, and all after it", () => {
    expect(
      follow(["http://a.local", false], ["http://b.test", true], ["http://a.local", false], ["http://c.local", false]),
    ).toEqual(["known", "known", "redirected", "redirected"]);
  });

  test("from https to http", () => {
    expect(follow(["https://a.local", false], ["http://a.local", false])).toEqual(["known", "redirected"]);
    expect(follow(["http://a.local", false], ["https://a.local", false])).toEqual(["known", "known"]);
  });

  test("retries of one request", () => {
    expect(follow(["http://a.local", false], ["http://a.local", false])).toEqual(["known", "known"]);
  });
});

describe("noteRedirect", () => {
  const refused = (from: string, external: boolean, status: number, location: unknown): string[] => {
    const chain = startChain(undefined);
    noteRedirect(chain, from, external, status, location);
    return [...(chain.refused ?? [])];
  };

  test.each([
    ["http://b.test/x", true, 302, "http://a.local/y", ["http://a.local"]],
    ["http://b.test/x", true, 302, "/y", ["http://b.test"]],
    ["https://a.local/", false, 308, "http://a.local/", ["http://a.local"]],
    ["https://a.local/", false, 308, "https://c.local/", []],
    ["http://b.test/", true, 200, "http://a.local/", []],
    ["http://b.test/", true, 299, "http://a.local/", []],
    ["http://b.test/", true, 300, "http://a.local/", ["http://a.local"]],
    ["http://b.test/", true, 399, "http://a.local/", ["http://a.local"]],
    ["http://b.test/", true, 400, "http://a.local/", []],
    ["http://a.local/", false, 302, "http://c.local/", []],
    ["http://a.local/", false, 302, "https://c.local/", []],
    ["http://b.test/", true, 302, undefined, []],
    ["http://b.test/", true, 302, "http://", []],
  ])("%s (external: %s) answers %i to %s", (from, external, status, location, expected) => {
    expect(refused(from, external, status, location)).toEqual(expected);
  });
});
