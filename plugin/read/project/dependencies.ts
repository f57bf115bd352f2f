import { ts } from "ts-morph";
import type { Reading } from "../base/reading.ts";
import { isPlatformFile } from "../base/tenon-symbols.ts";

/** Cache of the targets of import specifiers by program, since many files import the same modules. */
const targets = new WeakMap<ts.Program, Map<ts.StringLiteral, ts.SourceFile | undefined>>();

/**
 * Lists the files whose changes can affect a reading: files with the declarations that were read, and the modules that
 * re-export these. If a type was inferred from code, all direct and indirect imports count.
 */
export function dependenciesOf(reading: Reading): readonly string[] {
  const found = new Set<ts.SourceFile>();
  const touched = [reading.file, ...reading.touched].filter((file) => !isPlatformFile(reading, file));
  const add = (file: ts.SourceFile, follow: "imports" | "exports"): void => {
    const known = found.has(file);
    found.add(file);
    if (known && follow === "exports") return;
    for (const specifier of specifiersOf(file, follow === "imports" || reading.inferred)) {
      const target = resolve(reading, file, specifier);
      if (target === undefined || found.has(target) || isPlatformFile(reading, target) || isPackageFile(target))
        continue;
      add(target, "exports");
    }
  };
  for (const file of touched) {
    if (isPackageFile(file)) found.add(file);
    else {
      found.delete(file);
      add(file, "imports");
    }
  }
  return [...found].map((file) => file.fileName).toSorted();
}

/**
 * True for a file of a package. Packages change only by installation, so only those of their files that were read
 * count.
 */
function isPackageFile(file: ts.SourceFile): boolean {
  return file.fileName.includes("/node_modules/");
}

function specifiersOf(file: ts.SourceFile, imports: boolean): readonly ts.StringLiteral[] {
  return file.statements.flatMap((statement) => {
    // Side-effect imports are skipped: they can only matter by augmentations, and augmenting files are inputs of every
    // reading.
    const isImport = ts.isImportDeclaration(statement) && imports && statement.importClause !== undefined;
    if (!isImport && !ts.isExportDeclaration(statement)) return [];
    const specifier = statement.moduleSpecifier;
    return specifier !== undefined && ts.isStringLiteral(specifier) ? [specifier] : [];
  });
}

function resolve(
  { program, checker }: Reading,
  file: ts.SourceFile,
  specifier: ts.StringLiteral,
): ts.SourceFile | undefined {
  let known = targets.get(program);
  if (known === undefined) targets.set(program, (known = new Map()));
  if (known.has(specifier)) return known.get(specifier);
  const symbol = checker.getSymbolAtLocation(specifier);
  const declaration = symbol?.valueDeclaration ?? symbol?.declarations?.[0];
  const isModule = declaration !== undefined && ts.isSourceFile(declaration) && declaration !== file;
  const target = isModule ? declaration : undefined;
  known.set(specifier, target);
  return target;
}
