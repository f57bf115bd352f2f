import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { FieldModel, TypeModel } from "../../../../plugin/model/type.ts";
import {
  type ModuleReading,
  openProject,
  type ReadOptions,
  type SourceProject,
} from "../../../../plugin/read/open-project.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

interface Opened {
  readonly root: string;
  readonly project: SourceProject;
  read(file?: string, text?: string): ModuleReading;
}

function open(files: Readonly<Record<string, string>>, options: Partial<ReadOptions> = {}): Opened {
  const root = temporaryFolder({ "package.json": '{ "name": "sample", "type": "module" }', ...files });
  const project = openProject({ root, rules: { "missing-field-text": "off" }, ...options });
  onTestFinished(() => project.dispose());
  return { root, project, read: (file = "tool.ts", text) => project.read(join(root, file), text) };
}

/** A module with one tool that takes a `Request` with one field. */
function tool(type: string, head = ""): string {
  return `${head}
/** @schema urn:x:schema.request.1 */
export interface Request {
  field: ${type};
}
/** Takes it. @tool */
export function take(request: Request): void {
  void request;
}
`;
}

function fieldsOf({ module }: ModuleReading, name = "Request"): readonly FieldModel[] {
  const type: TypeModel | undefined = module.tools[0]?.definitions[name];
  return type?.kind === "object" ? type.fields : [];
}

function codesOf({ diagnostics }: ModuleReading): readonly string[] {
  return diagnostics.map(({ code }) => code);
}

describe("text", () => {
  test("what a bundler gives wins over what is on disk, and can be read again after an edit", () => {
    const { read } = open({ "tool.ts": tool("string") });
    expect(fieldsOf(read()).map(({ type }) => type)).toEqual([{ kind: "string" }]);
    expect(fieldsOf(read("tool.ts", tool("number"))).map(({ type }) => type)).toEqual([{ kind: "number" }]);
    expect(fieldsOf(read("tool.ts", tool("boolean"))).map(({ type }) => type)).toEqual([{ kind: "boolean" }]);
    expect(fieldsOf(read()).map(({ type }) => type)).toEqual([{ kind: "boolean" }]);
  });

  test("a file that exists nowhere can be read from its text", () => {
    const { read } = open({});
    expect(fieldsOf(read("virtual.ts", tool("Date"))).map(({ type }) => type)).toEqual([{ kind: "date" }]);
  });

  test("a byte-order mark and CRLF count as they stand in the text", () => {
    const { read } = open({});
    const text =
      '\uFEFFimport {} from "./other.ts";\r\n\r\n/** Runs.\r\n * @tool */\r\nexport function run(): void {}\r\n';
    const [run] = read("bom.ts", text).module.tools;
    expect(run).toMatchObject({
      description: "Runs.",
      insertion: { offset: text.indexOf(";") + 1 },
      position: { line: 5, column: 17 },
    });
  });
});

describe("invalidate", () => {
  const importing = tool("Model", 'import type { Model } from "./model.ts";');

  test("a changed import is read again", () => {
    const { root, project, read } = open({ "tool.ts": importing, "model.ts": "export interface Model { a: string }" });
    expect(fieldsOf(read(), "Model").map(({ key }) => key)).toEqual(["a"]);
    writeFiles(root, { "model.ts": "export interface Model { a: string; b: number }" });
    project.invalidate(join(root, "model.ts"));
    expect(fieldsOf(read(), "Model").map(({ key }) => key)).toEqual(["a", "b"]);
  });

  test("a file that comes into being resolves what was missing, and is missed when it goes", () => {
    const { root, project, read } = open({ "tool.ts": importing });
    expect(codesOf(read())).toEqual(["TN302"]);
    writeFiles(root, { "model.ts": "export interface Model { a: string }" });
    project.invalidate(join(root, "model.ts"));
    expect(codesOf(read())).toEqual([]);
    rmSync(join(root, "model.ts"));
    project.invalidate(join(root, "model.ts"));
    expect(codesOf(read())).toEqual(["TN302"]);
  });

  test("a changed tsconfig is read again", () => {
    const files = {
      "tool.ts": tool("Model", 'import type { Model } from "@models/model";'),
      "a/model.ts": "export interface Model { a: string }",
    };
    const { root, project, read } = open({ ...files, "tsconfig.json": "{}" });
    expect(codesOf(read())).toEqual(["TN302"]);
    writeFiles(root, { "tsconfig.json": '{ "compilerOptions": { "paths": { "@models/*": ["./a/*"] } } }' });
    project.invalidate(join(root, "tsconfig.json"));
    expect(codesOf(read())).toEqual([]);
  });
});

describe("tsconfig", () => {
  test("extends and paths are honoured; comments, options and libraries of other compilers are no problem", () => {
    const { read } = open({
      "config/base.json":
        '{ "compilerOptions": { "paths": { "#models/*": ["../models/*"] }, "lib": ["es2099", "dom.quantum"], "notAnOption": 1 } }',
      "tsconfig.json":
        '{ // a comment\n "extends": "./config/base.json", "compilerOptions": { "target": "es2099", "moduleResolution": "telepathy" }, }',
      "models/user.ts": "export interface User { name: string }",
      "src/tool.ts": tool("User", 'import type { User } from "#models/user.ts";'),
    });
    const reading = read("src/tool.ts");
    expect(codesOf(reading)).toEqual([]);
    expect(fieldsOf(reading, "User").map(({ key }) => key)).toEqual(["name"]);
  });

  test("of a solution, the project that has the file counts", () => {
    const { read } = open({
      "tsconfig.json":
        '{ "files": [], "references": [{ "path": "./tsconfig.other.json" }, { "path": "./tsconfig.app.json" }] }',
      "tsconfig.other.json": '{ "compilerOptions": { "composite": true }, "include": ["other"] }',
      "tsconfig.app.json":
        '{ "compilerOptions": { "composite": true, "paths": { "@/*": ["./src/*"] } }, "include": ["src"] }',
      "src/user.ts": "export interface User { name: string }",
      "src/tool.ts": tool("User", 'import type { User } from "@/user";'),
    });
    expect(codesOf(read("src/tool.ts"))).toEqual([]);
  });

  test("the sources of a referenced project stand in for its output, which need not be built", () => {
    const { read } = open(
      {
        "shared/tsconfig.json":
          '{ "compilerOptions": { "composite": true, "rootDir": "src", "outDir": "dist" }, "include": ["src"] }',
        "shared/src/index.ts": "export interface User { name: string }",
        "app/tsconfig.json": '{ "references": [{ "path": "../shared" }], "include": ["src"] }',
        "app/src/tool.ts": tool("User", 'import type { User } from "../../shared/dist/index.js";'),
      },
      { tsconfig: "app/tsconfig.json" },
    );
    const reading = read("app/src/tool.ts");
    expect(codesOf(reading)).toEqual([]);
    expect(fieldsOf(reading, "User").map(({ key }) => key)).toEqual(["name"]);
    expect(reading.dependencies.filter((file) => file.includes("/shared/"))).toEqual([
      expect.stringMatching(/\/shared\/src\/index\.ts$/),
    ]);
  });

  test("null stays null in a project that is not strict", () => {
    const { read } = open({
      "tsconfig.json": '{ "compilerOptions": { "strict": false } }',
      "tool.ts": tool("string | null"),
    });
    expect(fieldsOf(read())[0]?.type).toEqual({
      kind: "union",
      members: [{ kind: "string" }, { kind: "literal", value: null }],
    });
  });

  test("without a tsconfig imports mean what they mean to a bundler", () => {
    const { read } = open({
      "user.ts": "export interface User { name: string }",
      "tool.ts": tool("User", 'import type { User } from "./user";'),
    });
    expect(codesOf(read())).toEqual([]);
  });
});

describe("the program grows when a type needs it", () => {
  test("by the declarations of the tsconfig", () => {
    const { read } = open({
      "tsconfig.json": '{ "include": ["**/*"] }',
      "types/globals.d.ts": "interface Settings { depth: number }",
      "tool.ts": tool("Settings"),
    });
    expect(fieldsOf(read(), "Settings").map(({ key }) => key)).toEqual(["depth"]);
  });

  test("by every file of the tsconfig, for a global that a module declares", () => {
    const { read } = open({
      "tsconfig.json": '{ "include": ["**/*"] }',
      "elsewhere.ts": "export {};\ndeclare global { interface Settings { depth: number } }",
      "tool.ts": tool("Settings"),
    });
    expect(fieldsOf(read(), "Settings").map(({ key }) => key)).toEqual(["depth"]);
  });

  test("for a result that is inferred from what the platform gives", () => {
    const { read } = open(
      { "tool.ts": "/** Counts. @tool */\nexport const count = () => ({ when: structuredClone(new Date(0)) });\n" },
      { rules: { "missing-schema": "off" } },
    );
    expect(read().module.tools[0]?.result.type).toMatchObject({ fields: [{ key: "when", type: { kind: "date" } }] });
  });
});

describe("dependencies", () => {
  test("the files that declare what was read, those on the way to them, and the configuration", () => {
    const { root, read } = open({
      "tsconfig.json": "{}",
      "barrel.ts": 'export * from "./user.ts";\nexport * from "./far.ts";',
      "user.ts": 'import type { Address } from "./address.ts";\nexport interface User { address: Address }',
      "far.ts": "export interface Far { a: 1 }",
      "address.ts": "export interface Address { street: string }",
      "unrelated.ts": "export const unrelated = 1;",
      // Whoever imports all tools of a service would be read again with each.
      "effects.ts": "export const effects = 1;",
      "tool.ts": tool("User", 'import type { User } from "./barrel.ts";\nimport "./effects.ts";'),
    });
    const own = read().dependencies.map((file) => file.replace(`${root}/`, ""));
    expect(own).toEqual(["address.ts", "barrel.ts", "far.ts", "package.json", "tool.ts", "tsconfig.json", "user.ts"]);
  });
});

describe("constants of other modules", () => {
  const files = {
    "fast.ts": 'export const FAST = "fast";\nexport enum Speed { Fast = "fast" + "est", "so-so" = "medium" }',
    "typed.ts": 'import { FAST } from "./fast.ts";\nexport const MODE: string = FAST;',
    "plain.ts": 'import { FAST } from "./fast.ts";\nexport const MODE = FAST;',
  };
  const marked = "/** Takes it. @tool */\nexport function take(request: Request): void { void request; }";
  const request = (field: string): string =>
    `/** @schema urn:x:schema.request.1 */\nexport class Request { ${field} }\n${marked}`;

  const imported = 'import { FAST, Speed } from "./fast.ts";\n';
  const local = `${imported}const LOCAL: string = FAST;\n`;

  test.each<readonly [what: string, text: string, value: unknown, level: "lean" | "full"]>([
    ["a field", imported + request("mode: string = FAST;"), "fast", "lean"],
    ["a list in a field", imported + request("mode: string[] = [FAST];"), ["fast"], "lean"],
    ["a member of an enum", imported + request("mode: string = Speed.Fast;"), "fastest", "lean"],
    ["a member with another name", imported + request('mode: string = Speed["so-so"];'), "medium", "lean"],
    ["a namespace", `import * as fast from "./fast.ts";\n${request("mode: string = fast.FAST;")}`, "fast", "lean"],
    ["a typed constant elsewhere", `import { MODE } from "./typed.ts";\n${request("mode = MODE;")}`, "fast", "full"],
    ["a typed constant", local + request("mode: string = LOCAL;"), "fast", "full"],
    ["a class with methods", imported + request("mode: string = FAST; private see(): void {}"), "fast", "full"],
    [
      "a parameter",
      `${local}/** Takes it. @tool */\nexport function take(mode: string = LOCAL): void { void mode; }`,
      "fast",
      "full",
    ],
  ])("%s", (_what, text, value, level) => {
    const { root, read } = open({ ...files, "tool.ts": text });
    const full = openProject({ root, rules: { "missing-field-text": "off" }, lean: false });
    onTestFinished(() => full.dispose());
    const reading = read();
    expect(codesOf(reading)).toEqual([]);
    expect(JSON.stringify(reading.module)).toContain(`"default":${JSON.stringify(value)}`);
    expect(reading.module).toEqual(full.read(join(root, "tool.ts")).module);
    expect(reading.inputs?.ambient.length).toBe(level === "lean" ? 0 : 1);
  });

  test("all modules that a constant comes through are dependencies", () => {
    const { root, read } = open({
      ...files,
      "tool.ts": `import { MODE } from "./plain.ts";\n${request("mode: string = MODE;")}`,
    });
    const { dependencies, inputs } = read();
    const own = ["fast.ts", "plain.ts"].map((name) => join(root, name));
    expect(dependencies).toEqual(expect.arrayContaining(own));
    expect([...(inputs?.files.keys() ?? [])]).toEqual(expect.arrayContaining(own));
  });
});

test("the root is the folder of the package.json above the first module", () => {
  const root = temporaryFolder({
    "package.json": '{ "name": "@acme/tools" }',
    "src/deep/tool.ts": "/** Runs. @tool */\nexport function run(): { a: 1 } { return { a: 1 }; }",
  });
  const file = join(root, "src/deep/tool.ts");
  const project = openProject({ roots: [file], rules: { "missing-schema": "warn" } });
  const reading = project.read(file);
  expect(reading.module.file).toBe("src/deep/tool.ts");
  expect(reading.module.tools[0]?.result.urn).toBe("urn:acme:schema.run.result.1");
});
