import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { textCodes } from "../../plugin/diagnostics/text-codes.ts";
import { textFindings } from "../../plugin/texts/text-findings.ts";
import { compileServices } from "./compile-services.ts";

/** A text of 1,200 characters that says nothing wrong. */
const long = "It reads each part, and writes it again. ".repeat(30).trim();

/** Services with one fault each, in files by the name of the rule that has to find it. */
const planted = globSync("faults/*.md", { cwd: import.meta.dirname })
  .toSorted()
  .flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), "utf8").replaceAll("LONG", long);
    const services = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, source = ""]) => source);
    return services.map((source, index) => ({ rule: basename(file, ".md"), index: index + 1, source }));
  });
const codes = new Set(Object.keys(textCodes));
const ruleOf = (code: string): string | undefined => Object.entries(textCodes).find(([one]) => one === code)?.[1].rule;

describe("planted faults", () => {
  const services = compileServices(planted.map(({ source }) => source));

  test("there are 60 or more, some for each rule", () => {
    expect(planted.length).toBeGreaterThanOrEqual(60);
    expect(new Set(planted.map(({ rule }) => rule))).toEqual(
      new Set(Object.keys(textCodes).flatMap((code) => ruleOf(code) ?? [])),
    );
  });

  test.each(planted.map((one, at) => ({ ...one, at })))("$rule, service $index", ({ rule, at }) => {
    const found = textFindings(services[at] ?? [], codes);
    expect(found.map(({ code, message }) => [ruleOf(code), message])).toEqual([[rule, expect.any(String)]]);
  });
});
