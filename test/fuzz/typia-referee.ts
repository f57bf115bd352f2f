import { createRequire } from "node:module";
import ts from "typescript";
import transformTypia from "typia/lib/transform";
import type { StructureFile } from "./type-structures.ts";

/** typia's `is` by the name of a structure. A type that typia refuses has none. */
export type TypiaValidators = ReadonlyMap<string, (value: unknown) => boolean>;

/**
 * Compiles `typia.createIs<T>()` for every structure with typia's own transformer, in memory, and loads what comes out.
 */
export function typiaValidators(files: readonly StructureFile[]): TypiaValidators {
  const texts = new Map(files.map((file) => [file.path, withCalls(file)]));
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    esModuleInterop: true,
    strict: true,
    skipLibCheck: true,
    // The web's library is the largest of all, and no structure uses it.
    lib: ["lib.es2023.d.ts"],
    types: ["node"],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, getSourceFile } = host;
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.getSourceFile = (file, target, ...rest) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile(file, target, ...rest) : ts.createSourceFile(file, text, target, true);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  // Node gives the function itself; the compiler takes the module for CommonJS.
  const transform = transformTypia as unknown as typeof transformTypia.default;
  const transformer = transform(program, undefined, { addDiagnostic: () => 0 });
  const validators = new Map<string, (value: unknown) => boolean>();
  const write: ts.WriteFileCallback = (file, text) => load(file, text, validators);
  for (const file of files) {
    program.emit(program.getSourceFile(file.path), write, undefined, false, { before: [transformer] });
  }
  return validators;
}

function withCalls({ text, types }: StructureFile): string {
  const calls = types.map((type) => `export const is_${type} = () => typia.createIs<${type}>();`);
  return ['import typia from "typia";', text, ...calls].join("\n");
}

function load(file: string, text: string, validators: Map<string, (value: unknown) => boolean>): void {
  const exported: Record<string, () => (value: unknown) => boolean> = {};
  const require = createRequire(import.meta.url);
  (new Function("require", "exports", text) as (...values: unknown[]) => void)(require, exported);
  const name = /([\w-]+)\.js$/.exec(file)?.[1] ?? file;
  for (const [key, make] of Object.entries(exported)) {
    if (!key.startsWith("is_")) continue;
    try {
      validators.set(`${name}.${key.slice(3)}`, make());
    } catch {
      // Types that typia could not compile it left as a call that throws.
    }
  }
}
