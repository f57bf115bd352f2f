import { readFileSync, writeFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { stdoutGuardBanner } from "../../../../../runtime/base/process/stdout-guard.ts";

const source = new URL("../../../../../runtime/base/process/install-stdout-guard.ts", import.meta.url);
const target = new URL("../../../../../runtime/base/process/stdout-guard-text.ts", import.meta.url);

test("the banner's text is the minified guard", async () => {
  const { code } = await transform(readFileSync(source, "utf8"), {
    loader: "ts",
    format: "esm",
    target: "node22",
    minify: true,
  });
  const text = /^(function [\w$]+\([\w$,]+\)\{.*\})export\{[^{}]*\};\s*$/s.exec(code)?.[1];
  const file = [
    "// Made from install-stdout-guard.ts by test/unit/runtime/base/process/stdout-guard.test.ts. Do not edit: run that test",
    "// with UPDATE=1.",
    "",
    "/** `installStdoutGuard` as text that stands by itself. */",
    `export const stdoutGuardText: string = String.raw\`${text}\`;`,
    "",
  ].join("\n");
  if (process.env["UPDATE"] === "1") writeFileSync(target, file);
  expect(readFileSync(target, "utf8")).toBe(file);
  expect(text).not.toMatch(/[`\n]|\$\{/);
});

test("the banner is short and one expression statement", () => {
  const banner = stdoutGuardBanner("flags");
  expect(banner.length).toBeLessThan(2_100);
  expect(banner).toMatch(/^;\(function .*\)\(false,Symbol\.for\("tenon\.stdout"\)\);$/);
  expect(stdoutGuardBanner("always")).toMatch(/^;\(function .*\)\(true,Symbol\.for\("tenon\.stdout"\)\);$/);
});
