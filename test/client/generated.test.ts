import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { emitClient } from "../../cli/client/emit-client.ts";
import { emitNames } from "../../cli/client/emit-names.ts";
import { parseContract } from "../../cli/contracts/parse-contract.ts";
import type { Contract } from "../../cli/contracts/contract.ts";
import type { ServiceDefinitionTool } from "../../runtime/contract/service-definition.ts";
import { describeService } from "../../runtime/contract/definition/service-definition.ts";
import { callerSources } from "../../scripts/build/client-source.ts";
import { goldenTools } from "../support/golden-tools.ts";

const sources = callerSources();

/** A file as the built command writes it; in the sources the client is not yet gathered. */
function fileOf(contract: Contract): string {
  return emitClient(contract, sources);
}

/** The strictest settings that a user's project may have. */
const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedDeclarations: true,
  declaration: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: [],
  // The compiler's own files are not what is checked here.
  skipDefaultLibCheck: true,
};
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Mistakes that the compiler finds in a file. */
function mistakesIn(text: string): readonly string[] {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === "api.ts" || fileExists(file);
  host.getSourceFile = (file, version) => {
    if (file === "api.ts") return ts.createSourceFile(file, text, version, true);
    if (!libraries.has(file)) libraries.set(file, getSourceFile.call(host, file, version));
    return libraries.get(file);
  };
  const program = ts.createProgram(["api.ts"], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start }) => {
    const line = text.slice(0, start).split("\n").length;
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}  ${text.split("\n")[line - 1]}`;
  });
}

function contractOf(tools: readonly Partial<ServiceDefinitionTool>[]): Contract {
  const contract = parseContract(JSON.stringify({ name: "Probe", version: "1.0.0", tools }));
  if (typeof contract === "string") throw new Error(contract);
  return contract;
}

describe("the file of `tenon client`", () => {
  test("of every type that a tool can have passes the strictest compiler", () => {
    const definitions = goldenTools().map(({ tool }) => tool.definition);
    const contract = describeService({ service: { name: "Golden" }, tools: definitions, flavour: "lambda" });
    const text = fileOf(contract);
    expect(mistakesIn(text)).toEqual([]);
    expect(text).not.toContain(": unknown, unknown");
    for (const { name } of definitions)
      expect(text).toMatch(new RegExp(`readonly "?${name}"?: (?:Waiting)?ToolClient<`));
  });

  test("keeps comments, defaults and deprecations, and has names that nobody else has", () => {
    const file = join(import.meta.dirname, "../fixtures/client/api.ts");
    const contract = JSON.parse(
      readFileSync(join(import.meta.dirname, "../fixtures/client/service.json"), "utf8"),
    ) as Contract;
    const text = emitClient(contract);
    if (process.env["UPDATE"] === "1") {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    expect(text).toBe(readFileSync(file, "utf8"));
    expect(mistakesIn(fileOf(contract))).toEqual([]);
  });

  test("has no function that a promise or JSON would call", () => {
    const tools = ["then", "toJSON", "first"].map((name) => ({ name, path: `/tool/${name}` }));
    const text = fileOf(contractOf(tools));
    expect(text).toContain("readonly first: ToolClient<");
    expect(text).toMatch(/^const tools: readonly ToolFacts\[\] = \[\n.*"first".*\n\];$/m);
    expect(text).not.toMatch(/readonly (?:then|toJSON): ToolClient/);
  });

  test("has no type under a name that the client itself has", () => {
    const schema = {
      type: "object",
      properties: { next: { $ref: "#/$defs/Plan" }, at: { type: "string", "x-type": "Date" } },
      $defs: { Plan: { type: "object", properties: { at: { type: "string" } } } },
    };
    const text = fileOf(contractOf([{ name: "call", path: "/call", description: "", "result-schema": schema }]));
    expect(text).toContain("readonly next?: Plan2;");
    expect(mistakesIn(text)).toEqual([]);
  });

  test("has two types of one name apart, and equal ones once", () => {
    const withDate = (type: object): object => ({
      type: "object",
      properties: { at: { $ref: "#/$defs/At" } },
      $defs: { At: type },
    });
    const at = { type: "object", properties: { at: { type: "string", format: "date-time", "x-type": "Date" } } };
    const other = { type: "object", properties: { at: { type: "number" } } };
    const tool = (name: string, type: object): object => ({ name, path: `/${name}`, "result-schema": withDate(type) });
    const text = fileOf(contractOf([tool("a", at), tool("b", at), tool("c", other)] as never));
    expect(text.match(/export interface At\d* /g)).toEqual(["export interface At ", "export interface At2 "]);
    expect(text).toContain("readonly at?: Date;");
  });

  test("has brackets around each union and intersection that is only a part of a type", () => {
    const object = (key: string): object => ({
      type: "object",
      properties: { [key]: { const: key }, text: { enum: ["a | b", "]"] } },
      required: [key],
    });
    const either = { anyOf: [object("circle"), object("square")] };
    const both = { allOf: [object("circle"), object("square")] };
    const schema = {
      type: "object",
      properties: {
        shapes: { type: "array", items: either },
        corners: { type: "array", items: both },
        tuple: { type: "array", prefixItems: [either, both], items: either },
        wide: { type: "array", items: { allOf: [both, either] } },
        names: { type: "array", items: { const: "a | b" } },
      },
    };
    const text = fileOf(
      contractOf([
        { name: "draw", path: "/draw", description: "", "request-schema": schema, "result-schema": schema },
      ] as never),
    );
    expect(mistakesIn(text)).toEqual([]);
    const lines = text.replaceAll(/\{[^{}]*\}/g, "{}");
    expect(lines).toContain("readonly ({} | {})[]");
    expect(lines).toContain("readonly ({} & {})[]");
    expect(lines).toContain("readonly [({} | {})?, ({} & {})?, ...({} | {})[]]");
    expect(lines).toContain("readonly (({} & {}) & ({} | {}))[]");
    expect(lines).toContain('readonly "a | b"[]');
  });

  test("of names has the messages that jobs wait for, where there are any", () => {
    const read = (example: string): string =>
      emitNames(JSON.parse(readFileSync(`examples/${example}/service.json`, "utf8")) as Contract);
    expect(read("order")).toMatch(/Messages \{\n  readonly pay: \{ readonly approval: PayApproval \};\n\}/);
    expect(read("order")).toMatch(/export interface PayApproval \{\n(?:.*\n)*? +readonly approved: boolean;/);
    expect(mistakesIn(read("order"))).toEqual([]);
    expect(read("is-prime")).not.toContain("Messages");
  });

  test("sends messages where a tool waits for them, and only there", () => {
    const read = (example: string): Contract =>
      JSON.parse(readFileSync(`examples/${example}/service.json`, "utf8")) as Contract;
    expect(fileOf(read("order"))).toContain("/messages/");
    expect(mistakesIn(fileOf(read("order")))).toEqual([]);
    const used = (line: string): string =>
      `${fileOf(read("order"))}\nconst job = createClient({ url: "" }).pay.job("a");\nawait ${line};\n`;
    expect(mistakesIn(used('job.send("approval", { approved: true })'))).toEqual([]);
    expect(mistakesIn(used('job.send("approval", { approved: 1 })')).join()).toContain("not assignable");
    expect(mistakesIn(used('job.send("aproval", { approved: true })')).join()).toContain("not assignable");
    expect(fileOf(read("is-prime"))).not.toMatch(/\/messages\/|SendOptions|#region/);
  });

  test.each([
    ["all", 11.1],
    ["is-prime", 11],
    ["gene-ontology-mapper", 11],
    ["wave-function-collapse", 11],
    ["order", 13],
  ])("of the example %s is at most %f kB, minified", (example, kilobytes) => {
    const contract = JSON.parse(readFileSync(`examples/${example}/service.json`, "utf8")) as Contract;
    const { code } = transformSync(fileOf(contract), { loader: "ts", minify: true, format: "esm" });
    expect(code.length).toBeLessThanOrEqual(1000 * kilobytes);
    expect(code.length).toBeGreaterThan(5000);
    expect(code).not.toMatch(/\b(?:import|require|process|Buffer)\b/);
  });
});
