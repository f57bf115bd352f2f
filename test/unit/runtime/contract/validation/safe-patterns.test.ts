import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, describe, expect, test } from "vitest";
import { base64Pattern, bigIntPattern } from "../../../../../plugin/emit/schema/scalar-schema.ts";
import { isPlainlyLinear } from "../../../../../plugin/read/base/judge-pattern.ts";
import { goldenTools } from "../../../../support/golden-tools.ts";

/** A longer search than builds have time for. Its limits count steps, so that it finds the same on every machine. */
const longSearch = {
  randomSeed: 1,
  timeout: 60_000,
  incubationTimeout: null,
  attackTimeout: null,
  seedingTimeout: null,
  attackLimit: 30_000_000,
};

/** `checkSync` itself, since literals have flags of their own. */
const { checkSync } = createRequire(import.meta.url)("recheck/lib/browser.js") as {
  checkSync: (source: string, flags: string, parameters: object) => { readonly status: string };
};

const root = join(import.meta.dirname, "../../../../..");
const verdicts = join(import.meta.dirname, "safe-patterns.json");
const update = process.env["UPDATE"] !== undefined;
/** Written by `npm run test:update`, which judges each anew: that takes half a minute and depends on the text alone. */
const knownSafe = new Set(update ? [] : (JSON.parse(readFileSync(verdicts, "utf8")) as readonly string[]));
const foundSafe = new Set<string>();

/** A pattern that is linear at first sight need not be tried; the test of that first sight tries it. */
function isSafe(source: string, flags = "u"): boolean {
  if (isPlainlyLinear(source)) return true;
  const text = `/${source}/${flags}`;
  if (!knownSafe.has(text) && checkSync(source, flags, longSearch).status !== "safe") return false;
  foundSafe.add(text);
  return true;
}

/** Every regular expression that stands in the validators, with its place. */
function literals(): readonly { readonly place: string; readonly source: string; readonly flags: string }[] {
  return globSync("runtime/contract/validation/**/*.ts", { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found: { place: string; source: string; flags: string }[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf("/");
        found.push({
          place: `${file}: ${node.text}`,
          source: node.text.slice(1, end),
          flags: node.text.slice(end + 1),
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext));
    return found;
  });
}

/** The patterns of a schema, wherever they stand. */
function patternsIn(schema: unknown, found: Set<string>): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "pattern" && typeof value === "string") found.add(value);
    else patternsIn(value, found);
    if (key === "patternProperties") for (const pattern of Object.keys(value as object)) found.add(pattern);
  }
}

afterAll(() => {
  if (update) writeFileSync(verdicts, `${JSON.stringify([...foundSafe].toSorted(), null, 2)}\n`);
});

describe("no regular expression of ours can be made slow", () => {
  test("those of base64 and bigint", () => {
    expect([base64Pattern, bigIntPattern].map((pattern) => isSafe(pattern))).toEqual([true, true]);
  });

  test("those in the schemas of all golden tools", () => {
    const found = new Set<string>();
    for (const { tool } of goldenTools()) patternsIn(tool.definition, found);
    expect(found.size).toBeGreaterThan(10);
    // Looking ahead can only be judged by trial, which takes half a minute; the test of templates measures those.
    expect([...found].filter((pattern) => !pattern.includes("(?!") && !isSafe(pattern))).toEqual([]);
  });

  test("those in the validators", () => {
    const all = literals();
    expect(all.length).toBeGreaterThan(20);
    const unsafe = all.filter(({ source, flags }) => !isSafe(source, flags));
    expect(unsafe.map(({ place }) => place)).toEqual([]);
  });

  test("a pattern that is slow is found, and one that is no longer there is not kept", () => {
    expect(isSafe("^(a+)+$")).toBe(false);
    expect([...knownSafe].filter((text) => !foundSafe.has(text))).toEqual([]);
    // A new one is judged in every run until `npm run test:update` has written its verdict.
    const written = update ? foundSafe : knownSafe;
    expect([...foundSafe].filter((text) => !written.has(text))).toEqual([]);
  });
});
