import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCompiler } from "../../../../plugin/compile/compile.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** A module with a tool whose request has a field of the imported type `Value`. */
function tool(from: string): string {
  return `import type { Value } from "${from}";
/** @schema urn:a:schema.request.1 */
export interface Request {
  /** A value. */
  value: Value;
}
/** Text. @tool */
export function tool(request: Request): string { return String(request.value); }
`;
}

const value = (name: string): string => `export type Value = "${name}" | "other";\n`;

/** Compiles `src/tool.ts` of a project as a watcher does: again after each change, with one compiler. */
function watched(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder({ "package.json": '{ "name": "a", "type": "module" }', ...files });
  const file = join(root, "src/tool.ts");
  const compiler = createCompiler({ cache: false }, { rootFor: () => root });
  const compile = async () => {
    const { tools, diagnostics } = await compiler.compile(file, readFileSync(file, "utf8"));
    const errors = diagnostics.filter(({ level }) => level === "error").map(({ code }) => code);
    const [{ definition } = { definition: undefined }] = tools;
    const properties = definition?.request?.schema["properties"] as { value?: { enum?: string[] } } | undefined;
    return errors.length > 0 ? errors.join() : properties?.value?.enum?.[0];
  };
  return {
    compile,
    /** Writes files, or deletes those without a text, and compiles again. */
    async after(changes: Readonly<Record<string, string | undefined>>) {
      for (const [name, text] of Object.entries(changes)) {
        const path = join(root, name);
        if (text === undefined) rmSync(path, { recursive: true });
        else {
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, text);
        }
      }
      compiler.refresh();
      return compile();
    },
  };
}

const tsconfig = (options: object): string =>
  JSON.stringify({ compilerOptions: { module: "preserve", moduleResolution: "bundler", types: [], ...options } });

describe("a tsconfig that changes between builds", () => {
  test("paths lead elsewhere", async () => {
    const paths = (folder: string): string => tsconfig({ paths: { "#models/*": [`./${folder}/*`] } });
    const { compile, after } = watched({
      "tsconfig.json": paths("first"),
      "src/tool.ts": tool("#models/value"),
      "first/value.ts": value("one"),
      "second/value.ts": value("two"),
    });
    expect(await compile()).toBe("one");
    expect(await after({ "tsconfig.json": paths("second") })).toBe("two");
    expect(await after({ "tsconfig.json": paths("third") })).toBe("TN302");
    expect(await after({ "tsconfig.json": paths("first") })).toBe("one");
  });

  test("it extends another one, which changes", async () => {
    const { compile, after } = watched({
      "tsconfig.json": '{ "extends": "./base.json" }',
      "base.json": tsconfig({ customConditions: ["one"] }),
      "src/tool.ts": tool("dependency"),
      "node_modules/dependency/package.json":
        '{ "name": "dependency", "type": "module", "exports": { "one": "./one.d.ts", "default": "./two.d.ts" } }',
      "node_modules/dependency/one.d.ts": value("one"),
      "node_modules/dependency/two.d.ts": value("two"),
    });
    expect(await compile()).toBe("one");
    expect(await after({ "base.json": tsconfig({}) })).toBe("two");
  });

  test("it goes and comes back, and one that is nearer appears", async () => {
    const own = tsconfig({ paths: { "#value": ["./first.ts"] } });
    const { compile, after } = watched({
      "tsconfig.json": own,
      "src/tool.ts": tool("#value"),
      "first.ts": value("one"),
      "src/second.ts": value("two"),
    });
    expect(await compile()).toBe("one");
    expect(await after({ "tsconfig.json": undefined })).toBe("TN302");
    expect(await after({ "tsconfig.json": own })).toBe("one");
    expect(await after({ "src/tsconfig.json": tsconfig({ paths: { "#value": ["./second.ts"] } }) })).toBe("two");
    expect(await after({ "src/tsconfig.json": undefined })).toBe("one");
  });
});

describe("packages that change between builds", () => {
  test("`imports` of the project's package.json", async () => {
    const own = (file: string): string =>
      JSON.stringify({ name: "a", type: "module", imports: { "#value": `./${file}.ts` } });
    const { compile, after } = watched({
      "package.json": own("first"),
      "tsconfig.json": tsconfig({ module: "nodenext", moduleResolution: "nodenext" }),
      "src/tool.ts": tool("#value"),
      "first.ts": value("one"),
      "second.ts": value("two"),
    });
    expect(await compile()).toBe("one");
    expect(await after({ "package.json": own("second") })).toBe("two");
  });

  test("`exports` of a dependency, and the dependency itself", async () => {
    const dependency = (file: string): Readonly<Record<string, string>> => ({
      "node_modules/dependency/package.json": JSON.stringify({
        name: "dependency",
        type: "module",
        exports: { types: `./${file}.d.ts` },
      }),
      "node_modules/dependency/one.d.ts": value("one"),
      "node_modules/dependency/two.d.ts": value("two"),
    });
    const { compile, after } = watched({ "tsconfig.json": tsconfig({}), "src/tool.ts": tool("dependency") });
    expect(await compile()).toBe("TN302");
    expect(await after(dependency("one"))).toBe("one");
    expect(await after(dependency("two"))).toBe("two");
    expect(await after({ "node_modules/dependency": undefined })).toBe("TN302");
    expect(await after(dependency("one"))).toBe("one");
  });

  test("a nearer copy of a dependency", async () => {
    const copy = (name: string) => ({ [`${name}/package.json`]: '{ "types": "index.d.ts" }' });
    const { compile, after } = watched({
      "tsconfig.json": tsconfig({}),
      "src/tool.ts": tool("dependency"),
      ...copy("node_modules/dependency"),
      "node_modules/dependency/index.d.ts": value("one"),
    });
    expect(await compile()).toBe("one");
    const near = "src/node_modules/dependency";
    expect(await after({ ...copy(near), [`${near}/index.d.ts`]: value("near") })).toBe("near");
    expect(await after({ "src/node_modules": undefined })).toBe("one");
  });

  test("the name, of which URNs are derived", async () => {
    const root = temporaryFolder({ "package.json": '{ "name": "first" }' });
    const compiler = createCompiler({ cache: false, rules: { "missing-schema": "off" } }, { rootFor: () => root });
    const text =
      "export interface Request { /** Number. */ a: number }\n/** Text. @tool */\nexport function add(request: Request): number { return request.a; }\n";
    const urn = async (): Promise<string> =>
      JSON.stringify((await compiler.compile(join(root, "add.ts"), text)).tools.map(({ definition }) => definition));
    expect(await urn()).toContain("urn:first:");
    writeFileSync(join(root, "package.json"), '{ "name": "second-name" }');
    compiler.refresh();
    expect(await urn()).toContain("urn:second-name:");
  });
});
