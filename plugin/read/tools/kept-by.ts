import { ts } from "ts-morph";
import type { ToolModel } from "../../model/tool.ts";
import type { Reading } from "../base/reading.ts";
import { checkNamesOfTool } from "../rules/kept-calls.ts";
import { usedDefinitions } from "../types/used-definitions.ts";
import type { ToolCandidate } from "./find-tools.ts";
import type { KeptReading, ReadCall } from "./read-kept.ts";

/**
 * Lists the calls whose results are stored, in the function of a tool and in the functions of its module that it calls.
 */
export function keptBy(
  reading: Reading,
  { callable }: ToolCandidate,
  { calls, kept, names }: KeptReading,
): Pick<ToolModel, "kept"> {
  if (calls.length === 0) return {};
  const { checker, file } = reading;
  const found = new Set<ReadCall>();
  const seen = new Set<ts.Node>();
  const byNode = new Map<ts.Node, ReadCall>(calls.map((one) => [one.node, one]));
  const visit = (node: ts.Node): void => {
    const call = byNode.get(node);
    if (call !== undefined) found.add(call);
    if (ts.isIdentifier(node) && names.has(node.text)) follow(node);
    ts.forEachChild(node, visit);
  };
  const follow = (name: ts.Node): void => {
    const declaration = checker.getSymbolAtLocation(name)?.valueDeclaration;
    if (declaration === undefined || declaration.getSourceFile() !== file || seen.has(declaration)) return;
    seen.add(declaration);
    if (ts.isFunctionDeclaration(declaration) && declaration.body !== undefined) visit(declaration.body);
    if (ts.isMethodDeclaration(declaration) && declaration.body !== undefined) visit(declaration.body);
    const isConst = ts.isVariableDeclaration(declaration) && declaration.parent.parent.parent === file;
    if (isConst && declaration.initializer !== undefined) visit(declaration.initializer);
  };
  if (ts.isIdentifier(callable)) follow(callable);
  else visit(callable);
  if (found.size === 0) return {};
  const reached = calls.filter((one) => found.has(one));
  checkNamesOfTool(reading, reached);
  const own = reached.map(({ call }) => call);
  const types = own.flatMap(({ type }) => type ?? []);
  return {
    kept: { calls: own, definitions: usedDefinitions(types, new Map(Object.entries(kept?.definitions ?? {}))) },
  };
}
