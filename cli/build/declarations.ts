import { writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ts } from "ts-morph";
import { openConfig } from "../../plugin/index.ts";
import type { Project } from "../project/project.ts";

/**
 * Writes the declarations of what an entry exports, such as a handler, beside its bundle: `service.d.mts`.
 *
 * @param file The bundle, relative to `outdir`
 * @returns Name and size of the file; undefined where the compiler can name no type for an export
 */
export function writeDeclarations(
  { root, entry }: Project,
  outdir: string,
  file: string,
): { readonly file: string; readonly bytes: number } | undefined {
  const { options } = openConfig(root, undefined, entry).at("lean");
  const program = ts.createProgram([entry], {
    ...options,
    noEmit: false,
    declaration: true,
    declarationMap: false,
    emitDeclarationOnly: true,
  });
  const written: string[] = [];
  program.emit(program.getSourceFile(entry), (_, text) => written.push(text), undefined, true);
  const [text] = written;
  if (text === undefined) return undefined;
  const name = file.replace(/\.mjs$/, ".d.mts");
  const moved = withImportsFrom(text, dirname(entry), outdir);
  writeFileSync(join(outdir, name), moved);
  return { file: name, bytes: Buffer.byteLength(moved) };
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
