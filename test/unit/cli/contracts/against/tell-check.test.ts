import { expect, onTestFinished, test, vi } from "vitest";
import type { ContractCheck } from "../../../../../cli/contracts/against/check-against.ts";
import { formatNames, inFormat, tellCheck, tellFixes } from "../../../../../cli/contracts/against/tell-check.ts";
import type { JudgedFinding } from "../../../../../cli/contracts/exceptions.ts";

/** The text that goes to standard error; with the codes of colours where `isColoured`. */
function told(print: () => void, isColoured = false): string {
  vi.stubEnv("NO_COLOR", isColoured ? "" : "1");
  vi.stubEnv("FORCE_COLOR", "1");
  let text = "";
  const write = vi.spyOn(process.stderr, "write").mockImplementation((part) => {
    text += String(part);
    return true;
  });
  onTestFinished(() => void vi.unstubAllEnvs());
  print();
  write.mockRestore();
  return text;
}

const of = (severity: JudgedFinding["severity"], more: Partial<JudgedFinding> = {}): JudgedFinding => ({
  severity,
  tool: "half",
  place: "request /n",
  rule: "a-rule",
  message: "changed",
  ...more,
});
const broken = of("breaking", {
  rule: "urn-unchanged",
  witness: { value: { n: 0 }, problem: "/n: expected text" },
  fix: "change it",
});
const check: ContractCheck = {
  against: "HEAD",
  findings: [],
  unused: [],
  version: { before: "1.0.0", after: "1.0.0" },
  placeOf: () => ({ file: "src/a.ts", line: 7 }),
};

test("no changes are one line, and so is nothing to compare with", () => {
  expect(told(() => tellCheck(check))).toBe("Against HEAD: no changes; callers are safe.\n");
  expect(told(() => tellCheck({ ...check, absent: "There is none.", unused: [of("wording") as never] }))).toBe(
    "There is none.\n",
  );
});

test("each finding has its proof, its fix and its exception, and the end says what to do", () => {
  const findings = [
    broken,
    of("safety", { ended: "2026-01-01" }),
    of("breaking", { allowed: "nobody calls it" }),
    of("wording", { tool: "a\u001B[2Jb" }),
  ];
  const unused = [{ tool: "old", rule: "gone", reason: "", until: "" }];
  const version = { before: "1.0.0", after: "1.1.0", needed: "2.0.0" };
  const text = told(() => tellCheck({ ...check, findings, unused, version, tokens: { before: 10, after: 32 } }));
  expect(text).toBe(`breaking  half request /n  changed  urn-unchanged
          {"n":0} was accepted, is refused now: /n: expected text
          fix: change it
safety    half request /n  changed  a-rule
          its exception ended on 2026-01-01
breaking  half request /n  changed  a-rule
          allowed: nobody calls it
wording   a\\u001b[2Jb request /n  changed  a-rule

Against HEAD: 2 breaking, 1 safety, 1 wording; 2 of them fail the check.
The changes need version 2.0.0; it went from 1.0.0 to 1.1.0.
The tools take about 32 tokens in a model's tool list: + 22 tokens.
tenon.allow.json: no finding needs the exception for old, gone.
\`--fix\` writes the URNs and the version.
`);
});

test("a version that stands still, tokens that do, and a URN that an exception allows", () => {
  const allowed = { ...broken, allowed: "nobody calls it" };
  const version = { before: "1.0.0", after: "1.0.0", needed: "2.0.0" };
  const tokens = { before: 10, after: 10 };
  const text = told(() => tellCheck({ ...check, findings: [allowed, of("safety")], version, tokens }));
  expect(text.split("\n").slice(-4)).toEqual([
    "",
    "Against HEAD: 1 breaking, 1 safety; 1 of them fails the check.",
    "The changes need version 2.0.0; it is still 1.0.0.",
    "",
  ]);
});

test("what fails is red, what may is yellow, what is new is green", () => {
  const findings = (["breaking", "safety", "behaviour", "additive", "wording"] as const).map((one) => of(one));
  const text = told(() => tellCheck({ ...check, findings }), true);
  const codes = text.split("\n").map((line) => line.split("\u001B[")[1]?.split("m")[0]);
  expect(codes).toEqual(["31", "31", "33", "32", "2", undefined, "31", undefined]);
  expect(text).toContain("\u001B[1mhalf");
});

test("fixes are told with their lines, and what is left with its reason", () => {
  const fix = { file: "src/a.ts", line: 3, before: "urn:a:1", after: "urn:a:2" };
  const version = { file: "package.json", before: "1.0.0", after: "2.0.0" };
  const open = { file: "", before: "urn:b:1", after: "urn:b:2", problem: "no source names it" };
  expect(told(() => tellFixes([fix, version, open]))).toBe(
    "fixed src/a.ts:3  urn:a:1 → urn:a:2\nfixed package.json  1.0.0 → 2.0.0\nopen  urn:b:1 → urn:b:2: no source names it\n",
  );
  expect(told(() => tellFixes([]))).toBe("There is nothing to fix.\n");
});

test("each format has the findings, and the version that they need", () => {
  expect(formatNames).toEqual(["github", "markdown", "sarif"]);
  const whole = { ...check, findings: [broken], version: { before: "1.0.0", after: "1.0.0", needed: "2.0.0" } };
  expect(inFormat("github", whole)).toMatch(/^::error file=src\/a\.ts,line=7,/);
  expect(inFormat("markdown", whole)).toContain("The changes need version 2.0.0.");
  expect(inFormat("markdown", { ...whole, version: check.version })).not.toContain("need version");
  expect(JSON.parse(inFormat("sarif", whole))).toMatchObject({ version: "2.1.0" });
  expect(inFormat("other", whole)).toBe("");
});
