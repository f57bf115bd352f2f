import { ts } from "ts-morph";
import { placeOf, report, type Reading } from "../base/reading.ts";
import { tenonName } from "../base/tenon-symbols.ts";

/** Warns about loggers that a module creates while it loads, before it calls `loggingInit()`. */
export function checkEarlyLoggers(reading: Reading): void {
  if (!/\bgetLogger\b/.test(reading.file.text)) return;
  const loggers: ts.CallExpression[] = [];
  let init: ts.CallExpression | undefined;
  const visit = (node: ts.Node): void => {
    // Functions are skipped, since their code runs later.
    if (ts.isFunctionLike(node)) return;
    if (ts.isCallExpression(node)) {
      const name = tenonName(reading, node.expression);
      if (name === "loggingInit") init ??= node;
      if (name === "getLogger" && init === undefined) loggers.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(reading.file);
  if (init === undefined) return;
  for (const logger of loggers) {
    report(reading, {
      code: "TN206",
      place: placeOf(logger),
      message: "This logger is made before `loggingInit()` is called.",
      fix: "move `loggingInit();` in front of it",
    });
  }
}
