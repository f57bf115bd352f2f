import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packedProject, type PackedProject } from "../support/packed-project.ts";

const service = `import { Service, startLambdaServer } from "tenon";
import "./add.js";

await startLambdaServer(new Service({ name: "Sums", description: "Adds numbers." }));
`;
const whole = `/** Numbers to add. @schema urn:example:schema.sum.1 */
export interface Sum {
  /** The first one. */
  a: number;
}

/**
 * Adds numbers.
 * @tool
 */
export function add(request: Sum): number {
  return request.a;
}
`;
const broken = whole.replace("a: number", "a: () => void");

let project: PackedProject;
beforeAll(() => {
  project = packedProject({
    "src/service.ts": service,
    "src/add.ts": whole,
    "tsconfig.json": '{ "compilerOptions": { "strict": true } }',
  });
});
afterAll(() => project.dispose());

const schema = JSON.parse(
  readFileSync("node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json", "utf8"),
) as Record<string, unknown>;
const { $schema: _, id: _id, ...official } = schema;
const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(official);

describe.each(["build", "check", "generate"])("tenon %s, with an error in a tool", (command) => {
  beforeAll(() => project.write({ "src/add.ts": broken }));

  test("--json has the findings and no text beside", () => {
    const { status, stdout } = project.tenon(command, "--json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      diagnostics: [{ code: "TN301", level: "error", file: "src/add.ts", line: 4 }],
    });
  });

  test("--format github shows it at its line", () => {
    const { status, stdout } = project.tenon(command, "--format", "github");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error file=src\/add\.ts,line=4,col=6,title=TN301::Field .*%0Afix: /);
  });

  test("--format sarif is a log as the standard has it", () => {
    const { status, stdout } = project.tenon(command, "--format", "sarif");
    expect(status).toBe(1);
    const log = JSON.parse(stdout) as { readonly runs: readonly [{ readonly results: readonly object[] }] };
    expect(isSarif(log)).toBe(true);
    expect(log.runs[0].results).toMatchObject([
      {
        ruleId: "TN301",
        level: "error",
        locations: [{ physicalLocation: { region: { startLine: 4, startColumn: 6 } } }],
      },
    ]);
  });
});

describe("without an error", () => {
  beforeAll(() => {
    project.write({ "src/add.ts": whole });
    project.tenon("generate");
  });

  test.each(["build", "check", "generate"])("tenon %s --format sarif has no results, and exits with 0", (command) => {
    const { status, stdout } = project.tenon(command, "--format", "sarif");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ results: [] }] });
  });

  test("a stale definition and an entry that is missing are failures, too", () => {
    project.write({ "src/add.ts": whole.replace("Adds numbers.", "Sums up.") });
    const stale = project.tenon("check", "--format", "github");
    expect(stale.status).toBe(1);
    expect(stale.stdout).toBe(
      "::error file=service.json,title=tenon::service.json is stale. Run `tenon generate` and commit it.\n",
    );
    const missing = project.tenon("check", "src/none.ts", "--json");
    expect(missing.status).toBe(1);
    expect(JSON.parse(missing.stdout)).toEqual({ error: "There is no file src/none.ts.", diagnostics: [] });
  });

  test("a model without a URN is what the command takes it for: an error, and a warning of a build", () => {
    project.write({ "src/add.ts": whole.replace(" @schema urn:example:schema.sum.1", "") });
    const levels = (command: string): unknown => {
      const { status, stdout } = project.tenon(command, "--format", "sarif");
      const log = JSON.parse(stdout) as { readonly runs: readonly [{ readonly results: readonly object[] }] };
      return { status, results: log.runs[0].results };
    };
    expect(levels("check")).toMatchObject({ status: 1, results: [{ ruleId: "TN201", level: "error" }] });
    expect(levels("build")).toMatchObject({ status: 0, results: [{ ruleId: "TN201", level: "warning" }] });
  });

  test("both forms at once, and an unknown one, are refused", () => {
    expect(project.tenon("build", "--json", "--format", "sarif").status).toBe(2);
    expect(project.tenon("generate", "--format", "xml").status).toBe(2);
  });
});
