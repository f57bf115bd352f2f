import { expect, test } from "vitest";
import type { Diagnostic } from "../../../../../plugin/diagnostics/diagnostic.ts";
import { type CompileRequest, compileProject } from "../../../../../plugin/index.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const files = {
  "package.json": '{ "name": "acme", "version": "1.0.0", "type": "module" }',
  "src/service.ts": `import { Service, startLambdaServer } from "tenon";
import "./users.js";
await startLambdaServer(new Service({ name: "Users" }));
`,
  "src/users.ts": `/**
 * Get user.
 * @tool
 * @param id - Id.
 */
export function getUser(id: string, extra: string): string {
  return id + extra;
}
`,
};

async function found(
  options: Pick<CompileRequest, "judgesTexts" | "rules" | "budget">,
): Promise<readonly Diagnostic[]> {
  const root = temporaryFolder(files);
  return (await compileProject({ root, entry: "src/service.ts", ...options })).diagnostics;
}

const codesOf = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.map(({ level, code }) => `${level} ${code}`);

test("texts are judged only where it is asked for", async () => {
  expect(codesOf(await found({}))).toEqual(["warning TN203"]);
  expect(codesOf(await found({ judgesTexts: true }))).toEqual([
    "warning TN601",
    "hint TN606",
    "warning TN605",
    "warning TN203",
  ]);
});

test("a rule that the options name holds everywhere, at its level", async () => {
  expect(codesOf(await found({ rules: { "text-says-nothing": "error" } }))).toEqual(["error TN601", "warning TN203"]);
  expect(codesOf(await found({ rules: { "hint-missing": "warn" } }))).toEqual(["warning TN606", "warning TN203"]);
});

test("a rule that is off holds nowhere", async () => {
  const rules = { "text-says-nothing": "off", "hint-missing": "off", "parameter-unclear": "off" } as const;
  expect(codesOf(await found({ judgesTexts: true, rules }))).toEqual(["warning TN203"]);
});

test("a hint carries the tag that would settle it, and the line that it speaks of", async () => {
  const hint = (await found({ judgesTexts: true })).find(({ code }) => code === "TN606");
  expect(hint).toMatchObject({
    line: 6,
    lineText: "export function getUser(id: string, extra: string): string {",
    edit: { text: "* @readonly\n ", choice: true },
  });
});

test("a budget that is exceeded is an error, wherever tools are compiled", async () => {
  expect(codesOf(await found({ budget: { tool: 10, service: 1000 } }))).toEqual(["error TN609", "warning TN203"]);
  expect(codesOf(await found({ budget: { tool: 1000, service: 1000 } }))).toEqual(["warning TN203"]);
});
