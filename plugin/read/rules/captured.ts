import { ts } from "ts-morph";
import { placeOf, report } from "../base/reading.ts";
import type { Reading } from "../base/reading.ts";
import { assignedBy, rootOf } from "./module-state.ts";

const ofLists: ReadonlySet<string> = new Set("push unshift pop shift splice sort reverse fill".split(" "));
const ofCollections: ReadonlySet<string> = new Set("set add delete clear".split(" "));

/**
 * Reports what the function of a step changes outside of it: a later attempt finds the result, does not run the
 * function, and misses the change.
 */
export function checkCaptured(reading: Reading, run: ts.Expression, owner: ts.Node): void {
  const visit = (node: ts.Node): void => {
    const target = assignedBy(node) ?? changedBy(node);
    const name = target === undefined ? undefined : outsideName(reading, target, run, owner);
    if (target !== undefined && name !== undefined)
      report(reading, {
        code: "TN126",
        place: placeOf(node),
        message: `The step changes \`${name}\`, which is outside of it: an attempt that finds the result kept does not run this.`,
        fix: "return the value from the step, and change the variable with its result",
      });
    ts.forEachChild(node, visit);
  };
  visit(run);
}

/** The list, map or set that a call changes. */
function changedBy(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { name, expression } = node.expression;
  return ofLists.has(name.text) || ofCollections.has(name.text) ? expression : undefined;
}

/** The name of a variable of the function around a step. Of a call, only what was plainly made as a list, map or set. */
function outsideName(
  { checker }: Reading,
  target: ts.Expression,
  run: ts.Expression,
  owner: ts.Node,
): string | undefined {
  const root = rootOf(target);
  if (!ts.isIdentifier(root)) return undefined;
  const declaration = checker.getSymbolAtLocation(root)?.valueDeclaration;
  if (declaration === undefined || contains(run, declaration) || !contains(owner, declaration)) return undefined;
  const { parent } = target;
  const isCall =
    ts.isPropertyAccessExpression(parent) && ts.isCallExpression(parent.parent) && parent.parent.expression === parent;
  if (!isCall) return root.text;
  const made = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  if (made === undefined || target !== root) return undefined;
  const isList = ts.isArrayLiteralExpression(made) && ofLists.has(parent.name.text);
  const isCollection =
    ts.isNewExpression(made) && /^(?:Map|Set)$/.test(made.expression.getText()) && ofCollections.has(parent.name.text);
  return isList || isCollection ? root.text : undefined;
}

function contains(outer: ts.Node, inner: ts.Node): boolean {
  return outer.getSourceFile() === inner.getSourceFile() && outer.pos <= inner.pos && inner.end <= outer.end;
}
