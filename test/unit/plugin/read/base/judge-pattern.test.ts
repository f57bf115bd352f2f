import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  createPatternJudge,
  isPlainlyLinear,
  type PatternVerdict,
  searchParameters,
} from "../../../../../plugin/read/base/judge-pattern.ts";

const { checkSync } = createRequire(import.meta.url)("recheck/lib/browser.js") as {
  checkSync: (source: string, flags: string, parameters: object) => { readonly status: string };
};

describe("the judge of patterns", () => {
  test.each([
    ["^(a+)+$", "exponential"],
    ["^(\\w+\\s?)*$", "exponential"],
    ["\\s+$", "2nd degree polynomial"],
    ["x.*y.*z", "3rd degree polynomial"],
    // CVE-2026-0621
    ["^\\/([^/]+(?:,[^/]+)*)$", "exponential"],
  ])("%s is vulnerable: %s", (pattern, complexity) => {
    expect(createPatternJudge()(pattern)).toMatchObject({ status: "vulnerable", complexity });
  });

  test.each(["^[a-z]+(-[a-z]+)*$", "^(?:[A-Z]{2}|[0-9]{3})$", "^[a-z]+$"])("%s is safe", (pattern) => {
    expect(createPatternJudge()(pattern)).toEqual({ status: "safe" });
  });

  test.each([
    // Tried with random texts: limits that count give the same verdict on every machine.
    ["^(?:(?!--)[\\s\\S])*--[\\s\\S]*$", "safe"],
    ["(?=.*a)(?=.*b).*", "vulnerable"],
  ])("%s is %s, however slow the machine is", (pattern, status) => {
    let now = 0;
    // recheck asks after every few steps.
    const slow = vi.spyOn(performance, "now").mockImplementation(() => (now += 0.05));
    try {
      expect(createPatternJudge()(pattern)).toMatchObject({ status });
      expect(now).toBeGreaterThan(1000);
    } finally {
      slow.mockRestore();
    }
  });

  // Each of them held a build for 19 to 61 seconds.
  test.each([
    "^https?:\\/\\/(www\\.)?[-a-zA-Z0-9@:%._\\+~#=]{1,256}\\.[a-zA-Z0-9()]{1,6}\\b([-a-zA-Z0-9()@:%_\\+.~#?&//=]*)$",
    "[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    "[0-9]{1,64}x[0-9]{1,64}",
  ])("%s is safe after a bounded search", (pattern) => {
    let steps = 0;
    // recheck asks for the time after a fixed number of steps: on any machine as often.
    const counted = vi.spyOn(performance, "now").mockImplementation(() => (steps += 1) / 1000);
    try {
      expect(createPatternJudge()(pattern)).toEqual({ status: "safe" });
      expect(steps).toBeLessThan(200_000);
    } finally {
      counted.mockRestore();
    }
  });

  test.each([
    ["^(a?){40}a{40}$", "exponential"],
    ["^([x]{1,60}){1,60}y$", "exponential"],
    ["^(?=.*a)(b+)+$", "exponential"],
    ["^(?!.*--)([a-z0-9]+-?)+$", "exponential"],
    ["\\b(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}\\b", "2nd degree polynomial"],
  ])("a bounded search finds that %s is vulnerable: %s", (pattern, complexity) => {
    expect(createPatternJudge()(pattern)).toMatchObject({ status: "vulnerable", complexity });
  });

  test("verdicts are asked for and kept by pattern, and what takes long is told before it begins", () => {
    const kept = new Map<string, PatternVerdict>();
    const begun: string[] = [];
    const verdicts = {
      get: (pattern: string) => kept.get(pattern),
      set: (pattern: string, verdict: PatternVerdict) => kept.set(pattern, verdict),
      begin: (pattern: string) => void begun.push(pattern),
    };
    expect(createPatternJudge(verdicts)("^(a+)+$").status).toBe("vulnerable");
    expect(createPatternJudge(verdicts)("^(a+)+$").status).toBe("vulnerable");
    expect(begun).toEqual(["^(a+)+$"]);
  });

  test("what it cannot read is unknown", () => {
    expect(createPatternJudge()("^(?i:a)$")).toEqual({ status: "unknown" });
  });
});

describe("patterns that are linear at first sight", () => {
  test.each([
    "^[a-z]+$",
    "^[A-Z]{2}$",
    "^\\d{4}-\\d{2}$",
    "^k[01]$",
    "^[a-z0-9._-]*",
    "^\\S+@x\\.org$",
    "^a.c",
    "^a?b$",
    "^a{1,9}$",
    "^a{2,}$",
    "^\\p{L}+ \\P{Lu}$",
    "^\\p{Script=Greek}*$",
    "^",
  ])("%s is one", (pattern) => expect(isPlainlyLinear(pattern)).toBe(true));

  test.each(["[a-z]+$", "^a*b*$", "^(a)$", "^a|b$", "^\\1$", "^a+?$", "^a{2,}?$", "^a{1,9}b?$", "\\s+$", "^a+b+"])(
    "%s is none",
    (pattern) => expect(isPlainlyLinear(pattern)).toBe(false),
  );

  test("are judged safe", () => {
    const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\d", "\\w", "\\s", "\\.", "-", "[\\]a]");
    const fixed = fc.tuple(atom, fc.constantFrom("", "", "{2}", "{3}")).map(([of, times]) => of + times);
    const many = fc.tuple(atom, fc.constantFrom("*", "+", "?", "{1,3}", "{2,}")).map(([of, times]) => of + times);
    const parts = fc.array(fixed, { maxLength: 4 }).map((texts) => texts.join(""));
    fc.assert(
      fc.property(parts, many, parts, fc.constantFrom("", "$"), (before, repeated, after, end) => {
        const pattern = `^${before}${repeated}${after}${end}`;
        expect([pattern, isPlainlyLinear(pattern)]).toEqual([pattern, true]);
        expect([pattern, checkSync(pattern, "u", searchParameters(pattern)).status]).toEqual([pattern, "safe"]);
      }),
      { numRuns: 10, seed: 20261122 },
    );
  });
});
