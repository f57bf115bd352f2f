import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeProject } from "../../bench/make-project.ts";
import { reportOf, startBuild } from "./build-elsewhere.ts";
import { type BundlerProject, bundlerProject, runMoved } from "./bundler-project.ts";
import { bundlers, type BundleResult } from "./six-bundlers.ts";

let project: BundlerProject;
beforeEach(async () => {
  project = await bundlerProject();
});
afterEach(() => project[Symbol.dispose]());

async function build(name: string, entry = "src/main.ts"): Promise<BundleResult> {
  const make = bundlers[name];
  if (make === undefined) throw new Error(name);
  return make({ root: project.root, outdir: project.path("out"), entry, plugins: project.plugins });
}

/** Request schemas of the tools in a build, by name. */
function toolsOf(): { readonly [name: string]: { readonly [field: string]: unknown } } {
  const file = ["main.mjs", "main.js", "service.mjs"].find((one) => existsSync(project.path("out", one)));
  const { status, stdout, stderr } = runMoved(project.path("out"), file ?? "no entry");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  interface Definition {
    readonly name: string;
    readonly request: { readonly schema: { readonly properties: { readonly [field: string]: unknown } } };
  }
  return Object.fromEntries(
    (JSON.parse(stdout) as readonly Definition[]).map(({ name, request }) => {
      const { $schema: _urn, ...fields } = request.schema.properties;
      return [name, fields];
    }),
  );
}

const print = `const { tools } = (globalThis as any)[Symbol.for("tenon.registry")];
console.log(JSON.stringify([...tools.values()].map(({ definition }) => definition)));
`;

/** An entry that prints what the given modules register. */
function main(...modules: readonly string[]): string {
  return `${modules.map((one) => `import ${JSON.stringify(one)};\n`).join("")}${print}`;
}

interface ToolOptions {
  readonly imports?: string;
  readonly type?: string;
  readonly body?: string;
}

/** A module with one tool whose request has one field. */
function tool(name: string, { imports = "", type = "string", body = "" }: ToolOptions = {}): string {
  return `${imports}
/** @schema urn:example:schema.${name}.request.1 */
export interface Request {
  /** A value. */
  value: ${type};
}

/**
 * Does something.
 * @tool
 */
export function ${name}(request: Request): string {
  ${body}
  return String(request.value);
}
`;
}

const string = { type: "string", description: "A value." };

describe("files as editors and systems leave them", () => {
  const odd = (text: string): string => `\uFEFF${text.replaceAll("\n", "\r\n")}`;

  test.each(["esbuild", "rolldown", "rspack"])("%s: CRLF and a byte-order mark", async (name) => {
    project.write({ "src/main.ts": main("./tool.js"), "src/tool.ts": odd(tool("odd")) });
    expect(await build(name)).toEqual({ warnings: [] });
    expect(toolsOf()).toEqual({ odd: { value: string } });
  });

  test("an error in such a file has its place", async () => {
    project.write({ "src/main.ts": main("./tool.js"), "src/tool.ts": odd(tool("odd", { type: "symbol" })) });
    const { failure } = await build("esbuild");
    expect(failure?.places).toEqual([{ file: "src/tool.ts", line: 5, column: 10 }]);
  });

  test.each(["esbuild", "vite"])("%s: paths with blanks, accents, emoji and brackets", async (name) => {
    const folder = "src/größe 日本 [x] (y) 🙂 #a";
    project.write({
      "src/main.ts": main(`.${folder.slice(3)}/werk zeug.js`),
      [`${folder}/werk zeug.ts`]: tool("odd", { imports: 'import type { Value } from "./mödel.js";\n', type: "Value" }),
      [`${folder}/mödel.ts`]: 'export type Value = "ä" | "🙂";\n',
    });
    expect(await build(name)).toEqual({ warnings: [] });
    expect(toolsOf()).toMatchObject({ odd: { value: { enum: ["ä", "🙂"] } } });
  });
});

describe("project layouts", () => {
  /** A workspace package with a tool, and one with only types. */
  function writePackages(): void {
    project.write({
      "packages/deep/package.json": '{ "name": "deep", "type": "module", "exports": "./src/index.ts" }',
      "packages/deep/src/index.ts": tool("deep", {
        imports: 'import type { Value } from "types-only";\n',
        type: "Value",
      }),
      "packages/types-only/package.json": '{ "name": "types-only", "type": "module", "exports": "./index.ts" }',
      "packages/types-only/index.ts": 'export type Value = "a" | "b";\n',
      "src/main.ts": main("deep"),
    });
  }

  function link(target: string, path: string): void {
    mkdirSync(dirname(project.path(path)), { recursive: true });
    symlinkSync(project.path(target), project.path(path));
  }

  const layouts: { readonly [name: string]: () => void } = {
    npm() {
      link("packages/deep", "node_modules/deep");
      link("packages/types-only", "node_modules/types-only");
    },
    pnpm() {
      link("packages/deep", "node_modules/deep");
      link("packages/types-only", "packages/deep/node_modules/types-only");
    },
    "pnpm, installed from the registry"() {
      const store = "node_modules/.pnpm/types-only@1.0.0/node_modules/types-only";
      mkdirSync(project.path(dirname(store)), { recursive: true });
      renameSync(project.path("packages/types-only"), project.path(store));
      renameSync(project.path(store, "index.ts"), project.path(store, "index.d.ts"));
      project.edit(`${store}/package.json`, './index.ts"', './index.d.ts"');
      link("packages/deep", "node_modules/deep");
      link(store, "packages/deep/node_modules/types-only");
    },
  };

  test.each(Object.keys(layouts))("symlinked workspaces: %s", async (layout) => {
    writePackages();
    layouts[layout]?.();
    for (const name of ["rolldown", "esbuild"]) {
      rmSync(project.path("out"), { recursive: true, force: true });
      expect(await build(name)).toEqual({ warnings: [] });
      expect(toolsOf()).toMatchObject({ deep: { value: { enum: ["a", "b"] } } });
    }
  });

  describe("a workspace package whose exports lead to compiled JavaScript", () => {
    const compiled = `/** A tool of the package.
 * @tool
 * @param request The request. */
export function deep(request) {
  return request.value;
}
`;
    /** Writes it. @param sideEffects As in its package.json */
    function writeCompiled(conditions: object, sideEffects: boolean): void {
      writePackages();
      layouts["npm"]?.();
      const facts = { name: "deep", type: "module", exports: conditions, sideEffects };
      project.write({
        "packages/deep/package.json": JSON.stringify(facts),
        "packages/deep/dist/index.js": 'export * from "./deep.js";\n',
        "packages/deep/dist/deep.js": compiled,
        "packages/deep/dist/index.d.ts": 'export * from "./deep.js";\n',
        "packages/deep/dist/deep.d.ts": compiled.replace(
          "function deep(request) {\n  return request.value;\n}",
          "declare function deep(request: { value: string }): string;",
        ),
      });
    }

    test.each(Object.keys(bundlers))("%s tells its tool", async (name) => {
      writeCompiled({ types: "./dist/index.d.ts", default: "./dist/index.js" }, true);
      project.edit("src/main.ts", "const {", 'new Service({ name: "Tools" });\nconst {');
      project.edit(
        "src/main.ts",
        'import "deep";',
        'import { Service } from "tenon";\nimport "deep";\nimport "./other.js";',
      );
      project.write({ "src/other.ts": tool("other") });
      const { warnings } = await build(name);
      expect(warnings.join("\n")).toContain("`deep` is marked as a tool, and reaches the build as compiled JavaScript");
    });

    test.each(Object.keys(bundlers))("%s reads its source, by a map of declarations", async (name) => {
      writeCompiled({ types: "./dist/index.d.ts", default: "./dist/index.js" }, true);
      project.write({ "packages/deep/dist/deep.d.ts.map": '{ "version": 3, "sources": ["../src/index.ts"] }' });
      expect(await build(name)).toEqual({ warnings: [] });
      expect(toolsOf()).toMatchObject({ deep: { value: { enum: ["a", "b"] } } });
    });

    test.each(Object.keys(bundlers))("%s reads its source, by the condition `source`", async (name) => {
      writeCompiled({ source: "./src/*.ts", types: "./dist/index.d.ts", default: "./dist/index.js" }, true);
      project.write({
        "packages/deep/package.json": JSON.stringify({
          name: "deep",
          type: "module",
          exports: { ".": { source: "./src/index.ts", types: "./dist/deep.d.ts", default: "./dist/deep.js" } },
        }),
      });
      expect(await build(name)).toEqual({ warnings: [] });
      expect(toolsOf()).toMatchObject({ deep: { value: { enum: ["a", "b"] } } });
    });
  });

  test("project references, each with options of its own", async () => {
    writePackages();
    layouts["npm"]?.();
    const composite =
      '{ "compilerOptions": { "composite": true, "module": "nodenext", "isolatedDeclarations": true } }';
    project.write({
      "tsconfig.json": '{ "files": [], "references": [{ "path": "./src" }, { "path": "./packages/deep" }] }',
      "src/tsconfig.json": '{ "extends": "../tsconfig.base.json", "references": [{ "path": "../packages/deep" }] }',
      "tsconfig.base.json":
        '{ "compilerOptions": { "module": "nodenext", "strict": true, "types": [], "composite": true } }',
      "packages/deep/tsconfig.json": composite,
      "packages/types-only/tsconfig.json": composite,
    });
    expect(await build("rolldown")).toEqual({ warnings: [] });
    expect(toolsOf()).toMatchObject({ deep: { value: { enum: ["a", "b"] } } });
  });

  test.each(["esbuild", "vite", "rolldown"])(
    "%s: .ts in imports, .mts and .cts, and JSX beside the tools",
    async (name) => {
      project.write({
        "tsconfig.json": `{ "compilerOptions": { "module": "nodenext", "strict": true, "types": [], "jsx": "react-jsx",
        "allowImportingTsExtensions": true, "isolatedDeclarations": true, "erasableSyntaxOnly": true, "noEmit": true } }`,
        "src/main.ts": main("./one.ts", "./two.mts", "./three.cts", "./four.tsx"),
        "src/one.ts": tool("one"),
        "src/two.mts": tool("two", { imports: 'import type { Value } from "./three.cts";\n', type: "Value" }),
        "src/three.cts": `${tool("three")}export type Value = "x" | "y";\n`,
        "src/four.tsx": tool("four", {
          imports: 'import { Page } from "./page.tsx";\n',
          body: "const page = <Page title={request.value} />; if (!page) return '';",
        }),
        "src/page.tsx": "export function Page({ title }: { title: string }) {\n  return <p>{title}</p>;\n}\n",
        "node_modules/react/package.json":
          '{ "name": "react", "type": "module", "exports": { "./jsx-runtime": "./jsx.js", "./jsx-dev-runtime": "./jsx.js" } }',
        "node_modules/react/jsx.js":
          "export const jsx = (type, props) => ({ type, props });\nexport const jsxs = jsx;\nexport const jsxDEV = jsx;\nexport const Fragment = 0;\n",
      });
      expect(await build(name)).toEqual({ warnings: [] });
      const two = { ...string, enum: ["x", "y"] };
      expect(Object.keys(toolsOf()).toSorted()).toEqual(["four", "one", "three", "two"]);
      expect(toolsOf()).toMatchObject({
        one: { value: string },
        two: { value: two },
        three: {},
        four: { value: string },
      });
    },
  );
});

// Their cost in time is a figure of `npm run bench -- build`.
test("3,000 files around 5 tools need little memory", async () => {
  const tenon = project.path("node_modules/tenon");
  makeProject({ folder: project.path("large"), tools: 5, files: 3000, ...(existsSync(tenon) && { tenon }) });
  const report = await reportOf(startBuild(project, "large", "src/service.ts"));
  if (report === undefined) throw new Error("no report");
  expect(report.memory).toBeLessThan(250);
});
