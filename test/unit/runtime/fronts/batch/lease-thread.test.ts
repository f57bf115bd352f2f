import { readFileSync, writeFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, test } from "vitest";

const source = new URL("../../../../../runtime/fronts/batch/lease-thread.ts", import.meta.url);
const target = new URL("../../../../../runtime/fronts/batch/lease-thread-text.ts", import.meta.url);

test("the thread's text is the minified function", async () => {
  const { code } = await transform(readFileSync(source, "utf8"), {
    loader: "ts",
    format: "esm",
    target: "node22",
    minify: true,
  });
  const text = /^(function [\w$]+\([\w$,]+\)\{.*\})export\{[^{}]*\};\s*$/s.exec(code)?.[1];
  const file = [
    "// Made from lease-thread.ts by test/unit/runtime/fronts/batch/lease-thread.test.ts. Do not edit: run that test with",
    "// UPDATE=1.",
    "",
    "/** The source text of `leaseThread`, which depends on no other code. */",
    `export const leaseThreadText: string = String.raw\`${text}\`;`,
    "",
  ].join("\n");
  if (process.env["UPDATE"] === "1") writeFileSync(target, file);
  expect(readFileSync(target, "utf8")).toBe(file);
  expect(text).not.toMatch(/[`\n]|\$\{/);
});
