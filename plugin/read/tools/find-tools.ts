import { ts } from "ts-morph";
import { markedDoc, markOf, reportStrayMarks, type Mark, type Marks } from "../comments/marks.ts";
import { docOf, placeOf, report, type Reading } from "../base/reading.ts";
import { tenonName } from "../base/tenon-symbols.ts";
import type { Doc } from "../base/tsdoc.ts";

/** An exported function that is marked as a tool, prompt or resource and has a name. */
export interface ToolCandidate {
  readonly kind: Mark;
  /** The name under which the module exports it. */
  readonly name: string;
  /** Name of the function inside the module. */
  readonly binding: string;
  readonly nameNode: ts.Identifier;
  readonly statement: ts.Statement;
  readonly doc: Doc | undefined;
  /** The node with the function's type: the name, or the argument of `platformLambda`. */
  readonly callable: ts.Node;
  readonly hoisted: boolean;
  /** Second argument of `platformLambda`. */
  readonly options?: ts.Expression;
}

interface Search extends Marks {
  /** Names under which the module exports its declarations, by local name. */
  readonly exported: ReadonlyMap<string, readonly string[]>;
  readonly found: ToolCandidate[];
}

/** Finds all tools of a module, in source order. Marks that have no effect are reported. */
export function findTools(reading: Reading): readonly ToolCandidate[] {
  const { file } = reading;
  const search: Search = { reading, exported: exportedNames(file), used: new Set(), found: [] };
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement)) findFunction(search, statement);
    else if (ts.isVariableStatement(statement)) findVariables(search, statement);
    else if (ts.isExportAssignment(statement)) findDefault(search, statement);
  }
  reportStrayMarks(search);
  return search.found;
}

function exportedNames(file: ts.SourceFile): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  const add = (local: string, name: string): void => void names.set(local, [...(names.get(local) ?? []), name]);
  for (const statement of file.statements) {
    if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression))
      add(statement.expression.text, "default");
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly || statement.moduleSpecifier !== undefined) continue;
    if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) continue;
    for (const specifier of statement.exportClause.elements) {
      if (!specifier.isTypeOnly) add((specifier.propertyName ?? specifier.name).text, specifier.name.text);
    }
  }
  return names;
}

function findFunction(search: Search, statement: ts.FunctionDeclaration): void {
  const doc = markedDoc(search, statement);
  if (doc === undefined) return;
  const { reading } = search;
  if (statement.name === undefined) return reportAnonymous(reading, statement);
  const same = search.reading.file.statements.filter(
    (other) => ts.isFunctionDeclaration(other) && other.name?.text === statement.name?.text,
  );
  if (same.length > 1) {
    const message = `Tool \`${statement.name.text}\` has overloads.`;
    const [first] = same;
    if (first !== undefined)
      report(reading, {
        code: "TN104",
        place: placeOf((first as ts.FunctionDeclaration).name ?? first),
        message,
        fix: "keep one signature, or export one tool for each",
      });
    return;
  }
  const modifiers = ts.getCombinedModifierFlags(statement);
  const direct =
    (modifiers & ts.ModifierFlags.Export) === 0
      ? []
      : [(modifiers & ts.ModifierFlags.Default) === 0 ? statement.name.text : "default"];
  addTool(search, { statement, doc, nameNode: statement.name, callable: statement.name, hoisted: true }, direct);
}

function findVariables(search: Search, statement: ts.VariableStatement): void {
  for (const [index, declaration] of statement.declarationList.declarations.entries()) {
    const docNode = index === 0 ? statement : declaration;
    const own = markedDoc(search, docNode);
    const call = lambdaCall(search.reading, declaration.initializer);
    const [target, options] = call?.arguments ?? [];
    if (own === undefined && call === undefined) continue;
    if (!ts.isIdentifier(declaration.name)) {
      report(search.reading, {
        code: "TN103",
        place: placeOf(declaration.name),
        message: "`@tool` is on a pattern, which names no function.",
        fix: "assign the function to a `const` of its own",
      });
      continue;
    }
    if ((ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) === 0) {
      report(search.reading, {
        code: "TN107",
        place: placeOf(declaration.name),
        message: `Tool \`${declaration.name.text}\` is a variable that can change.`,
        fix: "declare it with `const`",
      });
      continue;
    }
    const doc = own ?? docOf(docNode) ?? (target === undefined ? undefined : functionDoc(search.reading, target));
    const direct =
      (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) === 0 ? [] : [declaration.name.text];
    const callable = target ?? declaration.name;
    addTool(
      search,
      {
        statement,
        doc,
        nameNode: declaration.name,
        callable,
        hoisted: false,
        ...(options === undefined ? {} : { options }),
      },
      direct,
    );
  }
}

/** `export default f` may refer to a marked function elsewhere in the module. */
function findDefault(search: Search, statement: ts.ExportAssignment): void {
  const doc = markedDoc(search, statement);
  const call = lambdaCall(search.reading, statement.expression);
  if (doc === undefined && call === undefined) return;
  const { expression } = statement;
  if (!ts.isIdentifier(expression)) return reportAnonymous(search.reading, statement);
  const symbol = search.reading.checker.getSymbolAtLocation(expression);
  const declaration = symbol?.valueDeclaration;
  if (search.found.some((tool) => tool.binding === expression.text)) return;
  const hoisted = declaration !== undefined && ts.isFunctionDeclaration(declaration);
  addTool(search, { statement, doc, nameNode: expression, callable: expression, hoisted }, ["default"]);
}

function addTool(
  search: Search,
  tool: Omit<ToolCandidate, "name" | "binding" | "kind">,
  direct: readonly string[],
): void {
  const binding = tool.nameNode.text;
  const names = [...direct, ...(search.exported.get(binding) ?? [])];
  const [first] = names;
  if (first === undefined) {
    const message = `Tool \`${binding}\` is not exported.`;
    report(search.reading, {
      code: "TN102",
      place: placeOf(tool.nameNode),
      message,
      fix: "write `export` in front of it",
      ...((ts.isFunctionDeclaration(tool.statement) || ts.isVariableStatement(tool.statement)) && {
        edit: { offset: tool.statement.getStart(search.reading.file), text: "export " },
      }),
    });
    return;
  }
  const chosen = names.includes(binding) ? binding : (names.find((name) => name !== "default") ?? binding);
  search.found.push({ ...tool, kind: markOf(tool.doc)?.name ?? "tool", name: chosen, binding });
}

function lambdaCall(reading: Reading, expression: ts.Expression | undefined): ts.CallExpression | undefined {
  if (expression === undefined || !ts.isCallExpression(expression)) return undefined;
  return tenonName(reading, expression.expression) === "platformLambda" ? expression : undefined;
}

function functionDoc(reading: Reading, target: ts.Node): Doc | undefined {
  if (!ts.isIdentifier(target)) return docOf(target);
  const declaration = reading.checker.getSymbolAtLocation(target)?.valueDeclaration;
  if (declaration === undefined) return undefined;
  return docOf(ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration);
}

function reportAnonymous(reading: Reading, statement: ts.Node): void {
  report(reading, {
    code: "TN106",
    place: {
      file: reading.file,
      start: statement.getStart(),
      end: Math.min(statement.getEnd(), statement.getStart() + "export default".length),
    },
    message: "This tool has no name, so generated code cannot call it.",
    fix: "name the function: `export default function myTool(…)`, or `export const myTool = …`",
  });
}
