import { ts } from "ts-morph";
import { placeOf, report, type Reading } from "../base/reading.ts";
import { assignedBy, mutatedBy, rootOf } from "./module-state.ts";

/**
 * Reports changes that the function of a step makes to outer variables. A later attempt gets the stored result without
 * running the function, so it would miss the changes.
 */
export function checkCaptured(reading: Reading, run: ts.Expression, owner: ts.Node): void {
  const isMeant = (target: ts.Expression): boolean => isOutside(reading, target, run, owner);
  const visit = (node: ts.Node): void => {
    const mutated = ts.isCallExpression(node) ? mutatedBy(reading, node, isMeant) : undefined;
    const [target] = mutated === undefined ? assignedBy(node).filter(isMeant) : [mutated];
    if (target !== undefined)
      report(reading, {
        code: "TN126",
        place: placeOf(node),
        message: `The step changes \`${rootOf(target).getText()}\`, which is outside of it: an attempt that finds the result kept does not run this.`,
        fix: "return the value from the step, and change the variable with its result",
      });
    ts.forEachChild(node, visit);
  };
  visit(run);
}

/** True for a variable of the function that contains a step. */
function isOutside({ checker }: Reading, target: ts.Expression, run: ts.Expression, owner: ts.Node): boolean {
  const root = rootOf(target);
  if (!ts.isIdentifier(root)) return false;
  const declaration = checker.getSymbolAtLocation(root)?.valueDeclaration;
  return declaration !== undefined && !contains(run, declaration) && contains(owner, declaration);
}

/** True if one node is inside of another. */
export function contains(outer: ts.Node, inner: ts.Node): boolean {
  return outer.getSourceFile() === inner.getSourceFile() && outer.pos <= inner.pos && inner.end <= outer.end;
}
