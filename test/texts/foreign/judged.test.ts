import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textCodes } from "../../../plugin/diagnostics/text-codes.ts";
import { textFindings } from "../../../plugin/texts/text-findings.ts";
import { compileServices } from "../compile-services.ts";
import { judgedFindings } from "./judged-findings.ts";
import { modelOf } from "./schema-model.ts";

/** Tools that `npm run foreign-texts` reads. */
const foreignTools = 1170;
const codes = new Set(Object.keys(textCodes));

test("at most 2 findings in 1,000 foreign tools are false, of those that were judged", () => {
  const judged = judgedFindings();
  expect(judged.length).toBeGreaterThan(200);
  expect(judged.filter(({ isFalse }) => isFalse).length).toBeLessThanOrEqual((2 * foreignTools) / 1000);
});

describe("what was a false finding once", () => {
  const text = readFileSync(join(import.meta.dirname, "services-without-findings.md"), "utf8");
  const cases = [...text.matchAll(/^(\S[^\n]*)\n\n```ts\n(.*?)^```$/gms)].map(([, title = "", source = ""]) => ({
    title,
    source,
  }));
  const services = compileServices(cases.map(({ source }) => source));

  test.each(cases.map((one, at) => ({ ...one, at })))("$title", ({ at }) => {
    expect(textFindings(services[at] ?? [], codes).map(({ message }) => message)).toEqual([]);
  });
});

test("a foreign schema is read as the type that an author would write", () => {
  const model = modelOf(
    {
      name: "search",
      description: "Searches.",
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: "object",
        required: ["text"],
        properties: {
          text: { type: "string", description: "Words." },
          order: { enum: ["up", "down"], default: "up" },
          near: { anyOf: [{ $ref: "#/$defs/Place" }, { type: "null" }] },
        },
        $defs: { Place: { type: "object", properties: { lat: { type: "number", maximum: 90 } } } },
      },
    },
    "a search",
  );
  expect(model.readonly).toBe(true);
  expect(model.request?.type).toMatchObject({
    kind: "object",
    fields: [
      { key: "text", description: "Words.", type: { kind: "string" } },
      { key: "order", optional: true, default: "up", type: { kind: "union" } },
      { key: "near", optional: true, type: { kind: "union", members: [{ kind: "object" }, { value: null }] } },
    ],
  });
});
