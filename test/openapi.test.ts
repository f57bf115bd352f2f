import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { createClient } from "@hey-api/openapi-ts";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import type { JsonObject, ToolDefinition } from "../runtime/contract/contract.ts";
import { openApiDocument } from "../runtime/contract/definition/openapi.ts";
import { goldenTools } from "./support/golden-tools.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const service = { name: "Golden", version: "1.0.0", license: { name: "MIT", url: "https://example.org/mit" } };
/**
 * Cases whose types differ most from one another; the golden cases together would take a compiler ten times as long.
 */
const cases = /^(?:unions|recursive|generics|codecs|records|results|key-patterns|arrays-and-tuples|default-export)_/;
/** Types that hold themselves without an object in between, which openapi-typescript cannot write. */
const endless = new Set(["Json", "JsonValue", "Nest", "Texts"]);

function document(names: RegExp, scopes?: readonly string[]): JsonObject {
  const tools = goldenTools()
    .map(({ tool: { definition, path } }) => ({ definition, path }))
    .filter(({ definition }) => names.test(definition.name) && !isEndless(definition));
  // As it comes over the wire, and each time another object: generators write into what they are given.
  return JSON.parse(JSON.stringify(openApiDocument({ service, tools, scopes }))) as JsonObject;
}

function isEndless({ request, result }: ToolDefinition): boolean {
  const names = [request?.schema, result.schema].flatMap((schema) => Object.keys(schema?.["$defs"] ?? {}));
  return names.some((name) => endless.has(name));
}

describe("what others make of the OpenAPI document", () => {
  test.each([undefined, ["use"]])("redocly's recommended rules pass, with the scopes %j", async (scopes) => {
    const config = await createConfig({ extends: ["recommended"] });
    // The tags of this case are tried with examples of other lengths.
    const source = JSON.stringify(document(/^(?!tagged-aliases_)/, scopes));
    const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test("types of openapi-typescript and a client of hey-api compile, with the names of requests and tags", async () => {
    // openapi-typescript wants TypeScript 5, which stands beside it.
    const require = createRequire(resolve("test/versions/typescript-5/package.json"));
    const entry = pathToFileURL(require.resolve("openapi-typescript").replace(/\.cjs$/, ".mjs")).href;
    const { default: generate, astToString } = (await import(entry)) as {
      readonly default: (input: JsonObject) => Promise<unknown>;
      readonly astToString: (tree: unknown) => string;
    };
    const folder = temporaryFolder({
      "api.ts": astToString(await generate(document(cases))),
      "api-use.ts": use("./api.ts", "openapi-typescript"),
      "client-use.ts": use("./client/types.gen.ts", "hey-api"),
    });
    await createClient({
      input: document(cases),
      output: { path: join(folder, "client"), importFileExtension: ".ts" },
      plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
      logs: { level: "silent" },
    });
    expect(existsSync(join(folder, "client/sdk.gen.ts"))).toBe(true);
    expect(compile(folder, ["api-use.ts", "client-use.ts", "client/index.ts"])).toEqual([]);
  });
});

/** Code of a user who narrows a union by its tag. */
function use(file: string, generator: "openapi-typescript" | "hey-api"): string {
  const head =
    generator === "hey-api"
      ? `import type { UnionsTakeRequest } from "${file}";`
      : `import type { components } from "${file}";\ntype UnionsTakeRequest = components["schemas"]["UnionsTakeRequest"];`;
  return `${head}
export function size({ shape, nullable }: Pick<UnionsTakeRequest, "shape" | "nullable">): number {
  if (nullable !== null && nullable.kind === "square") return nullable.side;
  switch (shape.kind) {
    case "circle":
      return shape.radius;
    case "square":
      return shape.side;
    case "point":
      return Date.parse(shape.at);
  }
}
// @ts-expect-error A circle has no side.
export const wrong: UnionsTakeRequest["shape"] = { kind: "circle", side: 1 };
`;
}

/** Errors of the compiler with the strictest options that the generators' own code allows. */
function compile(folder: string, files: readonly string[]): readonly string[] {
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      types: [],
    },
  );
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}
