import { basename, dirname, relative } from "node:path";
import { ts } from "ts-morph";
import type { Adopted, AdoptedModule } from "../model/adopted.ts";
import type { AdoptContext } from "./base/context.ts";
import { openDrafts } from "./code/drafts.ts";
import { openForeignFiles } from "./open-sources.ts";
import { readFastMcp } from "./sources/fastmcp.ts";
import { readFastify } from "./sources/fastify.ts";
import { readHono } from "./sources/hono.ts";
import { readTsoa } from "./sources/tsoa.ts";
import { readXmcp } from "./sources/xmcp.ts";
import type { SourceReader } from "./sources/found-tool.ts";
import { readTsRest } from "./sources/ts-rest.ts";
import { readMcpSdk } from "./sources/mcp-sdk.ts";
import { statSync } from "node:fs";

/** Names of globals. Generated declarations must not have these names, which would hide the globals. */
const globals =
  "Array Boolean Buffer Content Date Error Function JSON Map Number Object Partial Promise Record Request Response Set " +
  "String Symbol Uint8Array URL ValueError contentOf";

const readers: readonly SourceReader[] = [readMcpSdk, readFastMcp, readXmcp, readHono, readFastify, readTsoa];

/**
 * Reads a service that was written with another library: a folder, or a single file.
 *
 * @param path Absolute path that exists
 * @param namespace First part of URNs, such as `my-service`
 */
export function readForeign(path: string, namespace: string): Adopted {
  const { program, files } = openForeignFiles(path);
  const root = (statSync(path).isDirectory() ? path : dirname(path)).replaceAll("\\", "/");
  const broken = files.flatMap((file) => syntaxErrors(program, file, root));
  if (broken.length > 0) return { root, files: files.length, modules: [], open: [], broken };
  const names = new Map<string, Set<string>>();
  const context: AdoptContext = {
    checker: program.getTypeChecker(),
    root,
    files,
    open: [],
    named: new Map(),
    toolNames: new Set(),
    tool: undefined,
    namesOf: (file) => {
      const known = names.get(file) ?? new Set([...globals.split(" "), ...importedNames(program.getSourceFile(file))]);
      names.set(file, known);
      return known;
    },
  };
  const drafts = openDrafts(context, namespace);
  for (const file of files) for (const read of readers) read(file, drafts);
  readTsRest(files, drafts);
  const modules = drafts.finish((file) => relative(root, file).replaceAll("\\", "/"));
  const open = context.open.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  return { root, files: files.length, modules: modules.filter(isFilled), open, broken };
}

/** Lists the local names of the imports in a file. */
function importedNames(file: ts.SourceFile | undefined): readonly string[] {
  return (file?.statements ?? []).flatMap((statement) => {
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined;
    const bindings = clause?.namedBindings;
    const named = bindings === undefined ? [] : ts.isNamespaceImport(bindings) ? [bindings] : bindings.elements;
    return [...(clause?.name === undefined ? [] : [clause.name]), ...named.map((one) => one.name)].map(
      ({ text }) => text,
    );
  });
}

function isFilled({ tools, statements }: AdoptedModule): boolean {
  return tools.length > 0 || statements.length > 0;
}

function syntaxErrors(program: ts.Program, file: ts.SourceFile, root: string): Adopted["broken"] {
  return program.getSyntacticDiagnostics(file).map(({ start = 0, messageText }) => ({
    file: relative(root, file.fileName).replaceAll("\\", "/") || basename(file.fileName),
    line: file.getLineAndCharacterOfPosition(start).line + 1,
    message: ts.flattenDiagnosticMessageText(messageText, " "),
  }));
}
