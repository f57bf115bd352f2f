import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { goldenTools, type GoldenTool } from "../support/golden-tools.ts";
import { structureFolder, type StructureFile } from "./type-structures.ts";

/** A value that the compiled validator has judged. */
export interface Judged {
  /** Of the structure. */
  readonly name: string;
  readonly value: unknown;
  /** The value as the function gets it, for types that JSON has not; the wire value for all others. */
  readonly decoded: unknown;
  readonly accepted: boolean;
}

/**
 * TypeScript's own verdicts: whether the type of each value, written with literals, can be assigned to the structure.
 */
export interface CompilerReferee {
  /** A verdict for each value, in order; undefined for a structure that it does not know. */
  judge(all: readonly Judged[]): readonly (boolean | undefined)[];
}

/** A module whose types are structures. */
interface Source {
  readonly path: string;
  readonly text: string;
  /** Name of a structure → name of its type in the module. */
  readonly types: ReadonlyMap<string, string>;
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  lib: ["lib.esnext.d.ts"],
  types: ["node"],
};

/**
 * A third judge beside the compiled validator and ajv, which are made from one model and so share its mistakes. Values
 * are types of literals in one program for each call.
 */
export function compilerReferee(structures: readonly StructureFile[]): CompilerReferee {
  const sources = [...structures.map(sourceOf), ...goldenSources()];
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const judgements = join(structureFolder, "judgements.ts");
  const places = new Map(
    sources.flatMap(({ types }, module) => [...types].map(([name, type]) => [name, `m${module}.${type}`] as const)),
  );
  const host = ts.createCompilerHost(options);
  const { readFile, getSourceFile, fileExists } = host;
  const files = new Map<string, ts.SourceFile | undefined>();
  host.fileExists = (file) => texts.has(file) || file === judgements || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.getSourceFile = (file, target, ...rest) => {
    if (!files.has(file)) {
      const text = texts.get(file);
      const read = (): ts.SourceFile | undefined => getSourceFile(file, target, ...rest);
      files.set(file, text === undefined ? read() : ts.createSourceFile(file, text, target, true));
    }
    return files.get(file);
  };
  let before: ts.Program | undefined;
  return {
    judge(all) {
      const lines = sources.map(({ path }, module) => `import type * as m${module} from ${JSON.stringify(path)};`);
      const known = all.flatMap((one, index) => (places.has(one.name) ? [{ ...one, index }] : []));
      for (const { name, decoded, index } of known) {
        lines.push(`export type T${index} = ${places.get(name)}; export type V${index} = ${typeText(decoded)};`);
      }
      texts.set(judgements, lines.join("\n"));
      files.delete(judgements);
      before = ts.createProgram([judgements], options, host, before);
      const checker = before.getTypeChecker();
      const types = new Map<string, ts.Type>();
      for (const statement of before.getSourceFile(judgements)?.statements ?? []) {
        if (ts.isTypeAliasDeclaration(statement))
          types.set(statement.name.text, checker.getTypeFromTypeNode(statement.type));
      }
      const verdicts: (boolean | undefined)[] = all.map(() => undefined);
      for (const { index } of known) {
        const [value, type] = [types.get(`V${index}`), types.get(`T${index}`)];
        if (value !== undefined && type !== undefined) verdicts[index] = checker.isTypeAssignableTo(value, type);
      }
      return verdicts;
    },
  };
}

function sourceOf({ path, text, types }: StructureFile): Source {
  const file = basename(path, ".ts");
  return { path, text, types: new Map(types.map((type) => [`${file}.${type}`, type])) };
}

/** The modules of the golden cases, each with the types of its requests at its end. */
function goldenSources(): readonly Source[] {
  const modules = Map.groupBy(goldenTools(), ({ source }) => source.path);
  return [...modules].map(([path, tools]) => ({
    path,
    text: [readFileSync(path, "utf8"), ...tools.map((tool, index) => requestType(tool, `Probe${index}`))].join("\n"),
    types: new Map(tools.map(({ model }, index) => [`golden.${model.name}`, `Probe${index}`])),
  }));
}

function requestType({ model: { parameters, request }, source: { binding } }: GoldenTool, name: string): string {
  const fields = request?.type.kind === "object" ? request.type.fields : [];
  const typeOf = (index: number): string => `Parameters<typeof ${binding}>[${index}]`;
  const whole = parameters.findIndex(({ kind }) => kind === "request");
  if (whole >= 0) return `export type ${name} = ${typeOf(whole)};`;
  const keys = parameters.flatMap((parameter, index) => {
    if (parameter.kind !== "field") return [];
    const optional = fields.find(({ key }) => key === parameter.key)?.optional === true ? "?" : "";
    const rest = `Parameters<typeof ${binding}> extends [${"any, ".repeat(index)}...infer R] ? R : never`;
    return [`${JSON.stringify(parameter.key)}${optional}: ${parameter.rest === true ? rest : typeOf(index)}`];
  });
  return `export type ${name} = { ${keys.join("; ")} };`;
}

/** The narrowest type that a value has. */
function typeText(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) return "number";
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (value === undefined) return "undefined";
  if (Array.isArray(value)) return `[${value.map(typeText).join(", ")}]`;
  if (value instanceof Set) return `Set<${unionText(value)}>`;
  if (value instanceof Map) return `Map<${unionText(value.keys())}, ${unionText(value.values())}>`;
  if (value instanceof Uint8Array) return Buffer.isBuffer(value) ? "Buffer<ArrayBuffer>" : "Uint8Array<ArrayBuffer>";
  if (value instanceof Date) return "Date";
  if (value instanceof URL) return "URL";
  const keys = Object.entries(value as object).map(([key, one]) => `${JSON.stringify(key)}: ${typeText(one)}`);
  return `{ ${keys.join("; ")} }`;
}

function unionText(values: Iterable<unknown>): string {
  const texts = Array.from(values, typeText);
  return texts.length === 0 ? "never" : texts.join(" | ");
}
