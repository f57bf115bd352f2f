import { readText } from "../read/base/read-text.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { CompiledModule } from "./compiled-module.ts";

/** Part of a compiler that compiles one file. */
interface OneFileCompiler {
  compile(file: string, text: string): Promise<CompiledModule>;
}

/**
 * Fails a module whose types another plugin has removed before tenon got it: the file on disk has types, but the given
 * text has none. Its tools would accept every value. Only a text with untyped parameters is compared with its file.
 */
export async function withoutLostTypes(
  compiler: OneFileCompiler,
  text: string,
  module: CompiledModule,
): Promise<CompiledModule> {
  const [untyped] = untypedPlaces(module);
  if (untyped === undefined) return module;
  const onDisk = readText(module.file);
  if (onDisk === undefined || onDisk === text) return module;
  const intended = await compiler.compile(module.file, onDisk);
  if (untypedPlaces(intended).length >= untypedPlaces(module).length) return module;
  const [tool] = intended.tools;
  return { ...module, insertions: [], tools: [], diagnostics: [lostTypes(tool?.model.position ?? untyped)] };
}

function untypedPlaces({ diagnostics }: CompiledModule): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => code === "TN308");
}

function lostTypes({ file, line, column, length, lineText }: Partial<Diagnostic>): Diagnostic {
  return {
    code: "TN413",
    level: "error",
    message:
      "The types of this file were removed before tenon could read them: another plugin or loader compiles it first.",
    fix: "put `tenon()` before the plugin that compiles TypeScript, or leave that plugin out",
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(length !== undefined && { length }),
    ...(lineText !== undefined && { lineText }),
  };
}
