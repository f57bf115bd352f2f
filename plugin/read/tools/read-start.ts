import { ts } from "ts-morph";
import type { StartModel, WorkerModel } from "../../model/service.ts";
import { propertyKey, readProperty } from "../base/constants.ts";
import { placeOf, positionOf, type Reading } from "../base/reading.ts";
import { relativeFile } from "../base/relative-file.ts";
import { bareExpression, declarationOf, isConst } from "./declared.ts";

/**
 * Reads a module's start calls. A module that starts both kinds of services counts as a server, since which call runs
 * is decided at run time.
 */
export function readStart(
  reading: Reading,
  lambda: ts.CallExpression | undefined,
  batch: ts.CallExpression | undefined,
): StartModel | undefined {
  const call = lambda ?? batch;
  if (call === undefined) return undefined;
  const position = positionOf(reading, placeOf(call));
  const [, second] = call.arguments;
  if (lambda !== undefined) {
    const port = second && constantPort(reading, second);
    return { flavour: "lambda", ...(port !== undefined && { port }), position };
  }
  const given = second !== undefined && !(ts.isIdentifier(second) && second.text === "undefined");
  return { flavour: "batch", ...(given && { worker: readWorker(reading, second) }), position };
}

/** Returns a constant port; a port that is determined at run time is not in the definition. */
function constantPort(reading: Reading, options: ts.Expression): number | undefined {
  const literal = bareExpression(options);
  if (!ts.isObjectLiteralExpression(literal)) return undefined;
  const property = literal.properties.find((one) => propertyKey(one) === "port");
  const constant = property && readProperty(property, reading);
  return constant?.ok === true && typeof constant.value === "number" ? constant.value : undefined;
}

function readWorker(reading: Reading, argument: ts.Expression): WorkerModel {
  const position = positionOf(reading, placeOf(argument));
  const declared = functionOf(reading, argument);
  return { ...(declared !== undefined && { declared }), position };
}

function functionOf(reading: Reading, argument: ts.Expression): WorkerModel["declared"] {
  const name = bareExpression(argument);
  const declaration = declarationOf(reading, name);
  const known = declaration as (ts.Declaration & { readonly name?: ts.Node }) | undefined;
  if (known?.name === undefined || !ts.isIdentifier(known.name)) return undefined;
  if (ts.isVariableDeclaration(known)) {
    if (!isConst(known)) return undefined;
    // Follows a constant such as `const worker = isPrime;`.
    const value = known.initializer && bareExpression(known.initializer);
    if (value !== undefined && (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)))
      return functionOf(reading, value);
  }
  return { file: relativeFile(reading.root, known.getSourceFile().fileName), binding: known.name.text };
}
