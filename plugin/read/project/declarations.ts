import { dirname, relative, resolve } from "node:path";
import { ts } from "ts-morph";
import { openConfig } from "./compiler-config.ts";

/**
 * Makes the declarations of a file's exports, for a declaration file in another folder.
 *
 * @param written Declarations that were made from the file's text alone, if the text names all types. They are
 *   preferred, since a program takes far longer
 * @returns Undefined if the compiler cannot name the type of an export
 */
export function declarationsOf(root: string, file: string, folder: string, written?: string): string | undefined {
  const text = written ?? declaredInProgram(file, openConfig(root, undefined, file).at("lean").options);
  return text === undefined ? undefined : withImportsFrom(text, dirname(file), folder);
}

function declaredInProgram(file: string, options: ts.CompilerOptions): string | undefined {
  const wanted = { noEmit: false, declaration: true, declarationMap: false, emitDeclarationOnly: true };
  const program = ts.createProgram([file], { ...options, ...wanted });
  const written: string[] = [];
  program.emit(program.getSourceFile(file), (_, text) => written.push(text), undefined, true);
  return written[0];
}

/** Rewrites the relative imports of a file for another folder, so that they lead to the same modules. */
function withImportsFrom(text: string, before: string, after: string): string {
  const imports = ts.preProcessFile(text, true).importedFiles.filter(({ fileName }) => /^\.\.?\//.test(fileName));
  return imports.reduceRight((moved, { fileName, pos }) => {
    const path = relative(after, resolve(before, fileName)).replaceAll("\\", "/");
    const end = pos + `"${fileName}"`.length;
    return moved.slice(0, pos) + `"${path.startsWith(".") ? path : `./${path}`}"` + moved.slice(end);
  }, text);
}
