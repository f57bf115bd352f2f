import { ts } from "ts-morph";
import { placeOf, report, type Reading } from "../base/reading.ts";

interface Blocks {
  /** Functions of steps. */
  readonly runs: ReadonlySet<ts.Node>;
  readonly kind: "sleep" | "wait";
}

/**
 * Reports blocks around a wait whose end may run in another process, or not at all: a parked job leaves its process.
 * Blocks around calls of the module's functions that wait are reported as well.
 */
export function checkBlocks(reading: Reading, wait: ts.CallExpression, { runs, kind }: Blocks): void {
  const seen = new Set<ts.Node>();
  const check = (call: ts.CallExpression, what: string): void => {
    if (seen.has(call)) return;
    seen.add(call);
    for (let at: ts.Node = call; !ts.isSourceFile(at); at = at.parent) {
      const isInStep = runs.has(at);
      const where = isInStep ? "a step" : blockAround(at);
      if (where !== undefined) {
        report(reading, {
          code: "TN127",
          place: placeOf(call.expression),
          message: `${what} is within ${where}, and a job that waits long leaves its process: the end of the block does not run then.`,
          fix: isInStep ? "wait before or after the step" : "end the block before, and begin another one after",
        });
        return;
      }
      if (!ts.isFunctionLike(at)) continue;
      for (const other of callsOf(reading, at))
        check(other, `\`${other.expression.getText().slice(0, 60)}\`, in which the job waits,`);
    }
  };
  check(wait, `\`job.${kind}\``);
}

/** Names the statement around a node whose end has to run. */
function blockAround(at: ts.Node): string | undefined {
  const { parent } = at;
  if (ts.isTryStatement(parent) && parent.finallyBlock !== undefined && parent.finallyBlock !== at)
    return "`try … finally`";
  const hasUsing =
    ts.isBlock(parent) &&
    parent.statements.some((one) => one.pos < at.pos && ts.isVariableStatement(one) && isUsing(one));
  return hasUsing ? "a block with `using`" : undefined;
}

function isUsing(statement: ts.VariableStatement): boolean {
  const using = ts.NodeFlags.Using;
  return (statement.declarationList.flags & using) === using;
}

/** Finds the calls of a function in its module, by its name. */
function callsOf({ checker, file }: Reading, called: ts.SignatureDeclaration): readonly ts.CallExpression[] {
  const name = ts.isVariableDeclaration(called.parent) ? called.parent.name : called.name;
  if (name === undefined || !ts.isIdentifier(name)) return [];
  const symbol = checker.getSymbolAtLocation(name);
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const at = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
      if (ts.isIdentifier(at) && at.text === name.text && checker.getSymbolAtLocation(at) === symbol) found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  if (symbol !== undefined) visit(file);
  return found;
}
