import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { ts } from "ts-morph";
import { openConfig } from "./compiler-config.ts";

/**
 * The declarations of what a file exports, as a file in another folder.
 *
 * @returns Undefined where the compiler can name no type for an export
 */
export function declarationsOf(root: string, file: string, folder: string): string | undefined {
  const options = { ...openConfig(root, undefined, file).at("lean").options, declarationMap: false };
  const text = declaredAlone(file, options) ?? declaredInProgram(file, options);
  return text === undefined ? undefined : withImportsFrom(text, dirname(file), folder);
}

/** From the file's own text, where all types of its exports are written: hundreds of times as fast as a program. */
function declaredAlone(file: string, options: ts.CompilerOptions): string | undefined {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(file, "utf8"), {
    fileName: file,
    compilerOptions: options,
    reportDiagnostics: true,
  });
  return diagnostics.length === 0 ? outputText : undefined;
}

function declaredInProgram(file: string, options: ts.CompilerOptions): string | undefined {
  const program = ts.createProgram([file], { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true });
  const written: string[] = [];
  program.emit(program.getSourceFile(file), (_, text) => written.push(text), undefined, true);
  return written[0];
}

/** Points relative imports of a file in one folder to the same modules from another. */
function withImportsFrom(text: string, before: string, after: string): string {
  const imports = ts.preProcessFile(text, true, true).importedFiles.filter(({ fileName }) => /^\.\.?\//.test(fileName));
  return imports.reduceRight((moved, { fileName, pos }) => {
    const path = relative(after, resolve(before, fileName)).replaceAll("\\", "/");
    const end = pos + `"${fileName}"`.length;
    return moved.slice(0, pos) + `"${path.startsWith(".") ? path : `./${path}`}"` + moved.slice(end);
  }, text);
}
