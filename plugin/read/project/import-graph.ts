import { readText } from "../base/read-text.ts";
import { ts } from "ts-morph";
import { type ConfigSource, openConfig } from "./compiler-config.ts";
import { sourceOfCompiled } from "./compiled-source.ts";
import { lookupsOf } from "./module-lookups.ts";
import { packagesAbove, type ReadingInputs } from "./reading-inputs.ts";

/** Start of a search, and the project's settings for imports. */
export interface GraphRequest {
  /** Absolute path of the entry. */
  readonly entry: string;
  /** Absolute folder of the project. */
  readonly root: string;
  /** Absolute path of the tsconfig; default: the nearest one. */
  readonly tsconfig?: string;
}

/** A TypeScript file that runs when the entry runs. */
export interface ImportedFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/** The files that an entry imports, and everything in the file system on which the search depended. */
export interface ImportGraph {
  /** The entry first. */
  readonly files: readonly ImportedFile[];
  readonly inputs: ReadingInputs;
}

/** Finds the TypeScript files that run with an entry, once. */
export function followImports(request: GraphRequest): ImportGraph {
  return createImportFollower(request)();
}

/** Function that follows the imports of one entry; `texts` replace files on disk. */
export type ImportFollower = (texts?: ReadonlyMap<string, string>) => ImportGraph;

/**
 * Creates a function that finds the TypeScript files that run with an entry, as a bundler would: through relative
 * imports, path aliases and workspace packages, without type-only imports. In further calls, only files with a changed
 * text are parsed. If files were added or removed, or their configuration has changed, a new follower is needed.
 */
export function createImportFollower({ entry, root, tsconfig }: GraphRequest): ImportFollower {
  const config = openConfig(root, tsconfig, entry);
  const { options } = config.at("lean");
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  const known = new Map<string, FollowedFile>();
  const follow = (file: string, text: string): FollowedFile => {
    const before = known.get(file);
    if (before?.text === text) return before;
    const resolutions = importedNames(file, text, options).map((name) =>
      ts.resolveModuleName(name, file, options, ts.sys, cache, undefined, ts.ModuleKind.ESNext),
    );
    const followed = { file, text, resolutions };
    known.set(file, followed);
    return followed;
  };
  return (texts) => {
    const found = new Map<string, FollowedFile>();
    const waiting = [entry];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const text = found.has(file) ? undefined : (texts?.get(file) ?? readText(file));
      if (text === undefined) continue;
      const followed = follow(file, text);
      found.set(file, followed);
      // Imports are pushed onto the stack in reverse, which preserves their order.
      for (const { resolvedModule } of followed.resolutions.toReversed()) {
        const target = resolvedModule?.resolvedFileName;
        if (target !== undefined && isFollowed(target))
          waiting.push(isTypeScript(target) ? target : (sourceOfCompiled(target) ?? target));
      }
    }
    const files = [...found.values()];
    const resolutions = files.flatMap((one) => one.resolutions);
    const told = files.filter(
      ({ file, text }) => file === entry || isTypeScript(file) || /@(?:tool|prompt|resource)\b/.test(text),
    );
    return { files: told, inputs: inputsOf(root, config, files, resolutions) };
  };
}

/**
 * True for files whose imports are followed: TypeScript, and JavaScript of the project or of a workspace package, in
 * which tool marks are reported.
 */
function isFollowed(file: string): boolean {
  if (isTypeScript(file)) return true;
  return !/[\\/]node_modules[\\/]/.test(file) && /\.[cm]?[jt]sx?$/.test(file);
}

function isTypeScript(file: string): boolean {
  return /(?<!\.d)\.[cm]?tsx?$/.test(file);
}

/** A file, and the targets of its imports. */
interface FollowedFile extends ImportedFile {
  readonly resolutions: readonly ts.ResolvedModuleWithFailedLookupLocations[];
}

function inputsOf(
  root: string,
  config: ConfigSource,
  files: readonly ImportedFile[],
  resolutions: readonly ts.ResolvedModuleWithFailedLookupLocations[],
): ReadingInputs {
  const { missing, packages, links } = lookupsOf(resolutions);
  const nearer = files.flatMap(({ file }) => packagesAbove(file, root));
  return {
    complete: true,
    files: new Map([
      ...[...config.files, ...packages].map((file) => [file, undefined] as const),
      ...files.map(({ file, text }) => [file, text] as const),
    ]),
    missing: [...new Set([...config.missing, ...missing, ...nearer])],
    links,
    ambient: [],
  };
}

function importedNames(file: string, text: string, options: ts.CompilerOptions): readonly string[] {
  if (!/\b(?:import|require|from)\b/.test(text)) return [];
  const source = ts.createSourceFile(
    file,
    text,
    { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    true,
  );
  const keepsUnused = options.verbatimModuleSyntax === true;
  const used = keepsUnused ? new Set<string>() : valueNames(source);
  const names: string[] = [];
  for (const statement of source.statements) {
    const specifier =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) ? statement.moduleSpecifier : undefined;
    if (specifier === undefined || !ts.isStringLiteral(specifier)) continue;
    if (ts.isImportDeclaration(statement) && !runs(statement.importClause, keepsUnused, used)) continue;
    if (ts.isExportDeclaration(statement) && (statement.isTypeOnly || exportsOnlyTypes(statement))) continue;
    names.push(specifier.text);
  }
  visitCalls(source, names);
  return names.filter((name) => !/^tenon(?:\/|$)/.test(name));
}

/** True for an import that exists at run time: compilers remove imports that are only used as types. */
function runs(clause: ts.ImportClause | undefined, keepsUnused: boolean, used: ReadonlySet<string>): boolean {
  if (clause === undefined) return true;
  if (clause.isTypeOnly) return false;
  const bindings = clause.namedBindings;
  const elements = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
  if (keepsUnused) return true;
  const locals = [
    clause.name,
    ...(bindings !== undefined && ts.isNamespaceImport(bindings) ? [bindings.name] : []),
    ...elements.filter((element) => !element.isTypeOnly).map((element) => element.name),
  ];
  return locals.some((name) => name !== undefined && used.has(name.text));
}

function exportsOnlyTypes({ exportClause }: ts.ExportDeclaration): boolean {
  return (
    exportClause !== undefined &&
    ts.isNamedExports(exportClause) &&
    exportClause.elements.length > 0 &&
    exportClause.elements.every((element) => element.isTypeOnly)
  );
}

/** Names that occur in value positions. */
function valueNames(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return names;
}

function visitCalls(node: ts.Node, names: string[]): void {
  if (ts.isCallExpression(node)) {
    const [first] = node.arguments;
    const loads =
      node.expression.kind === ts.SyntaxKind.ImportKeyword ||
      (ts.isIdentifier(node.expression) && node.expression.text === "require");
    if (loads && first !== undefined && ts.isStringLiteralLike(first)) names.push(first.text);
  }
  ts.forEachChild(node, (child) => visitCalls(child, names));
}
