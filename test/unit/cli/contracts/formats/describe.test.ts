import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import type { JudgedFinding } from "../../../../../cli/contracts/exceptions.ts";
import type { Report } from "../../../../../cli/contracts/formats/describe.ts";
import { formatGithub } from "../../../../../cli/contracts/formats/github.ts";
import { formatMarkdown } from "../../../../../cli/contracts/formats/markdown.ts";
import { formatSarif } from "../../../../../cli/contracts/formats/sarif.ts";

const broken: JudgedFinding = {
  severity: "breaking",
  tool: "half",
  place: "request /a|b",
  rule: "required-added",
  message: "is new, and\nrequired: 100%",
  witness: { value: { n: 0 }, problem: '/a: The key "a" (number) is missing.' },
  fix: "change it",
};
const allowed: JudgedFinding = { ...broken, place: "result /x", allowed: "nobody calls it" };
const wording: JudgedFinding = {
  severity: "wording",
  tool: "other",
  place: "title",
  rule: "title-changed",
  message: "*",
};
const report: Report = {
  findings: [broken, allowed, wording],
  against: "origin/main",
  placeOf: (tool) => (tool === "half" ? { file: "src/a b,c.ts", line: 7 } : { file: "service.json" }),
  version: "2.0.0",
};
const nothing: Report = { ...report, findings: [] };

describe("the formats of findings", () => {
  test("GitHub's commands are one line each, escaped, and no error where a finding is allowed", () => {
    expect(formatGithub(report)).toBe(
      [
        "::error file=src/a b%2Cc.ts,line=7,title=breaking%3A required-added::half request /a|b: is new, and%0Arequired: 100%25" +
          '%0A{"n":0} was accepted, is refused now: /a: The key "a" (number) is missing.%0Afix: change it\n',
        "::notice file=src/a b%2Cc.ts,line=7,title=breaking%3A required-added::half result /x: is new, and%0Arequired: 100%25" +
          '%0A{"n":0} may be given now; before: /a: The key "a" (number) is missing.%0Afix: change it%0Aallowed: nobody calls it\n',
        "::notice file=service.json,title=wording%3A title-changed::other title: *\n",
      ].join(""),
    );
    expect(formatGithub(nothing)).toBe("");
  });

  test("Markdown is a table whose cells no text can leave", () => {
    const text = formatMarkdown(report);
    expect(text).toContain("### Contract against `origin/main`: 2 breaking, 1 wording");
    expect(text).toContain("| breaking | `half` | `request /a\\|b` | is new, and required: 100%<br>");
    expect(text).toContain("| wording | `other` | `title` | \\* | `title-changed` |");
    expect(text).toContain("1 of them fails the check.");
    expect(text).toContain("The changes need version 2.0.0.");
    expect(formatMarkdown(nothing)).toBe("### Contract against `origin/main`: no changes\n");
  });

  test("Markdown ends with what the tools take of a model's context, where that has changed, and then the version", () => {
    const { findings: _, version: _version, ...bare } = report;
    const end = (more: Pick<Report, "tokens" | "version">) =>
      formatMarkdown({ ...bare, findings: [allowed], ...more })
        .split("\n")
        .slice(5);
    const none = "Nothing here stops callers.";
    expect(end({})).toEqual(["", none, ""]);
    expect(end({ tokens: { before: 500, after: 500 } })).toEqual(["", none, ""]);
    expect(end({ tokens: { before: 500, after: 912 }, version: "2.0.0" })).toEqual([
      "",
      none,
      "",
      "The tools take about 912 tokens: + 412 tokens.",
      "",
      "The changes need version 2.0.0.",
      "",
    ]);
  });

  test("SARIF matches its official schema", () => {
    const file = "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
    const { $schema: _, id: _id, ...official } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(official);
    for (const one of [report, nothing]) {
      const log = JSON.parse(formatSarif(one, "1.2.3")) as object;
      expect([validate(log), validate.errors]).toEqual([true, null]);
    }
    expect(validate({ version: "2.1.0", runs: [{ results: [{ level: "fatal" }] }] })).toBe(false);
    expect(JSON.parse(formatSarif(report, "1.2.3"))).toMatchObject({
      runs: [
        {
          results: [
            {
              ruleId: "required-added",
              level: "error",
              locations: [
                {
                  physicalLocation: { artifactLocation: { uri: "src/a%20b%2Cc.ts" }, region: { startLine: 7 } },
                  logicalLocations: [{ name: "half", fullyQualifiedName: "half request /a|b" }],
                },
              ],
              partialFingerprints: { "tenonContract/v1": "half request /a|b required-added" },
              properties: { severity: "breaking", witness: broken.witness },
            },
            { suppressions: [{ kind: "external", justification: "nobody calls it" }] },
            { level: "note" },
          ],
        },
      ],
    });
  });
});
