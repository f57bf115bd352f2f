import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileProject } from "../../plugin/index.ts";
import { packedProject } from "../support/packed-project.ts";
import { type BundlerProject, bundlerProject, runMoved } from "./bundler-project.ts";
import { bundlerNames, bundlers } from "./six-bundlers.ts";

const marks = join(mkdtempSync(join(tmpdir(), "tenon-marks-")), "marks");

/** Leaves a mark when it is run. */
const trap = (mark: string): string =>
  `(globalThis as any).process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(marks)}, ${JSON.stringify(`${mark}\n`)})`;
const plainTrap = (mark: string): string => trap(mark).replace("(globalThis as any)", "globalThis");

/** Everything that a reader could be tempted to run for its value: initialisers, defaults, examples, enums, options. */
const files = {
  "tsconfig.json": JSON.stringify({
    extends: "./tsconfig.base.json",
    compilerOptions: { plugins: [{ name: "trapped-plugin" }, { transform: "./transform.cjs" }] },
  }),
  "tsconfig.base.json": JSON.stringify({
    compilerOptions: {
      target: "es2024",
      module: "nodenext",
      strict: true,
      noEmit: true,
      types: [],
      plugins: [{ name: "trapped-plugin" }],
    },
  }),
  "transform.cjs": `${plainTrap("transform")}; module.exports = () => ({});`,
  "node_modules/trapped-plugin/package.json": '{ "name": "trapped-plugin", "version": "1.0.0", "main": "index.js" }',
  "node_modules/trapped-plugin/index.js": `${plainTrap("tsconfig plugin")}; module.exports = () => ({ create: () => ({}) });`,
  "node_modules/trapped/package.json":
    '{ "name": "trapped", "version": "1.0.0", "type": "module", "main": "index.js", "types": "index.d.ts" }',
  "node_modules/trapped/index.js": `${plainTrap("dependency")}; export const limit = 10;`,
  "node_modules/trapped/index.d.ts": "export declare const limit: number; export interface Foreign { size: number }",
  "src/limits.ts": `${trap("module")};\nexport const most: number = (${trap("constant")}, 20);\nexport const words = ["a", "b"] as const;`,
  "src/tools.ts": `import { limit, type Foreign } from "trapped";
import { most, words } from "./limits.js";
${trap("tool module")};

/** @schema urn:trap:schema.request.1 */
export class TrapRequest {
  /** Number. @minimum 1 */
  count: number = (${trap("field")}, 3);
  /** A word. */
  word: (typeof words)[number] = "a";
}

/** @schema urn:trap:schema.result.1 */
export interface TrapResult {
  /** Number of them. */
  count: number;
  /** Of another package. */
  foreign: Foreign;
}

/**
 * Counts.
 * @tool
 * @example { "count": 2, "word": "b" }
 */
export function trapped(request: TrapRequest): TrapResult {
  ${trap("body")};
  return { count: Math.min(request.count, most), foreign: { size: limit } };
}
`,
  "src/trapped.ts": `import { Service, startLambdaServer } from "tenon";
import "./tools.js";
${trap("entry")};
await startLambdaServer(new Service({ name: "Trapped" }));
`,
};

let project: BundlerProject;
beforeAll(async () => {
  project = await bundlerProject();
  project.write(files);
});
afterAll(() => {
  project[Symbol.dispose]();
  rmSync(dirname(marks), { recursive: true, force: true });
});

/** The marks since the last look. */
function left(): string {
  const text = existsSync(marks) ? readFileSync(marks, "utf8") : "";
  rmSync(marks, { force: true });
  return text;
}

describe("a build runs nothing of the project", () => {
  test.each(bundlerNames)("%s", async (name) => {
    const outdir = project.path("out", name);
    const result = await bundlers[name]?.({
      root: project.root,
      outdir,
      entry: "src/trapped.ts",
      plugins: project.plugins,
    });
    expect(result?.failure).toBeUndefined();
    expect(left()).toBe("");
  });

  test("the compiler by itself", async () => {
    const { diagnostics } = await compileProject({ root: project.root, entry: "src/trapped.ts" });
    // The reader says that it does not run this.
    expect(diagnostics.map(({ code }) => code)).toEqual(["TN318"]);
    expect(left()).toBe("");
  });

  test("the traps work: the output leaves their marks", () => {
    const file = ["trapped.mjs", "trapped.js"].find((name) => existsSync(project.path("out/esbuild", name)));
    const { status, stderr } = runMoved(project.path("out/esbuild"), file ?? "", ["--print-service-description"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const ran = left().trimEnd().split("\n");
    expect(ran).toEqual(expect.arrayContaining(["dependency", "module", "constant", "tool module", "entry"]));
    expect(ran).not.toEqual(expect.arrayContaining(["tsconfig plugin", "transform", "body"]));
  });
});

test("tenon build, check, generate and inspect run nothing of the project either", () => {
  const user = packedProject({
    ...files,
    "package.json": '{ "name": "trap", "version": "1.0.0", "private": true, "type": "module" }',
  });
  try {
    const commands = [
      ["build", "src/trapped.ts"],
      ["generate", "src/trapped.ts"],
      ["check", "src/trapped.ts"],
      ["inspect", "trapped", "--stage", "module", "--entry", "src/trapped.ts"],
    ];
    for (const words of commands) {
      const { stderr } = user.node(["node_modules/tenon/dist/cli/main.js", ...words]);
      expect({ words, stderr, marks: left() }).toMatchObject({ words, marks: "" });
    }
    user.node(["dist/trapped.mjs", "--print-service-description"]);
    expect(left()).toContain("entry");
  } finally {
    user.dispose();
  }
});
