/** Gathers the sources of the client into one text, which `tenon client` writes behind the types of a service. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { clientParts, type CallerSource, type CallerSources, type ClientPart } from "../../cli/client/caller-source.ts";

/** A statement at the top of a module. */
interface Declared {
  readonly text: string;
  readonly names: readonly string[];
  /** Identifiers in it, its own included. */
  readonly uses: ReadonlySet<string>;
}

/** A part of the client that only some services need, from its mark to the end of the part. */
const part = /^ *\/\/#region (\w+)\n([^]*?) *\/\/#endregion\n/gm;

/**
 * Reads the modules behind an entry that only hands on, and keeps what it reaches. Comments stay.
 *
 * @param parts Parts that the text has
 */
function clientSource(parts: readonly ClientPart[], entry = "runtime/client/generated.ts"): CallerSource {
  const modules = new Map<string, readonly Declared[]>();
  const exported = new Set<string>();
  const visit = (file: string): void => {
    if (modules.has(file)) return;
    const source = ts.createSourceFile(
      file,
      readFileSync(file, "utf8").replaceAll(part, (_, name: ClientPart, text: string) =>
        parts.includes(name) ? text : "",
      ),
      ts.ScriptTarget.Latest,
      true,
    );
    modules.set(file, []);
    for (const statement of source.statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      const { moduleSpecifier } = statement;
      if (moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier))
        visit(join(dirname(file), moduleSpecifier.text));
      if (file !== entry || !ts.isExportDeclaration(statement) || statement.exportClause === undefined) continue;
      if (ts.isNamedExports(statement.exportClause))
        for (const { name } of statement.exportClause.elements) exported.add(name.text);
    }
    // Modules that others import stand before them, as at run time.
    modules.delete(file);
    modules.set(
      file,
      source.statements.flatMap((statement) => declaredIn(statement, source)),
    );
  };
  visit(entry);
  const all = [...modules.values()].flat();
  const reached = reachedFrom(exported, all);
  const kept = all.filter((one) => reached.has(one));
  const names = kept.flatMap((one) => one.names);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two modules of the client declare ${twice}; one file cannot have both.`);
  const text = kept.map((one) => (one.names.some((name) => exported.has(name)) ? `export ${one.text}` : one.text));
  return {
    text: `${text.map((one) => one.replace(/^export (\/\*\*[^]*?\*\/\n)/, "$1export ")).join("\n\n")}\n`,
    names,
  };
}

/** The gathered client, once for each choice of parts. */
export function callerSources(): CallerSources {
  const choices = clientParts.reduce<readonly (readonly ClientPart[])[]>(
    (before, one) => before.flatMap((choice) => [choice, [...choice, one]]),
    [[]],
  );
  return Object.fromEntries(choices.map((choice) => [choice.join(), clientSource(choice)]));
}

/** The module with the gathered client. */
export function callerModule(): string {
  return `export const clientParts = ${JSON.stringify(clientParts)};\nexport const callerSources = ${JSON.stringify(callerSources())};\n`;
}

function declaredIn(statement: ts.Statement, source: ts.SourceFile): readonly Declared[] {
  const names = namesOf(statement);
  if (names.length === 0) return [];
  const uses = new Set<string>();
  const collect = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) uses.add(node.text);
    node.forEachChild(collect);
  };
  collect(statement);
  const comment = ts.getJSDocCommentsAndTags(statement).findLast(ts.isJSDoc);
  // With a blank line behind it, it is of the whole module.
  const isOwn = comment !== undefined && !/\n\s*\n/.test(source.text.slice(comment.end, statement.getStart(source)));
  return [
    {
      text: (isOwn ? `${comment.getText(source)}\n` : "") + statement.getText(source).replace(/^export /, ""),
      names,
      uses,
    },
  ];
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function reachedFrom(exported: ReadonlySet<string>, all: readonly Declared[]): ReadonlySet<Declared> {
  const byName = new Map(all.flatMap((one) => one.names.map((name) => [name, one] as const)));
  const reached = new Set([...exported].flatMap((name) => byName.get(name) ?? []));
  // The set grows during the iteration.
  for (const { uses } of reached) {
    for (const name of uses) {
      const next = byName.get(name);
      if (next !== undefined) reached.add(next);
    }
  }
  return reached;
}
