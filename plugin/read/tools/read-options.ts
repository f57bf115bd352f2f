import { ts } from "ts-morph";
import type { ToolModel } from "../../model/tool.ts";
import type { JsonLiteral } from "../../model/type.ts";
import { propertyKey, readProperty } from "../base/constants.ts";
import { placeOf, report, type Reading } from "../base/reading.ts";
import { isToolName, pathProblem } from "../comments/tool-tags.ts";

/** Options that change the generated code, with checks of their values. */
const literalOptions: Readonly<
  Record<string, { readonly expected: string; readonly fits: (value: JsonLiteral) => boolean }>
> = {
  name: {
    expected: "a name of `A-Z a-z 0-9 _ . -`",
    fits: (value) => typeof value === "string" && isToolName(value),
  },
  path: {
    expected: "a path that begins with `/`",
    fits: (value) => typeof value === "string" && pathProblem(value) === undefined,
  },
  tags: {
    expected: "an array of strings",
    fits: (value) => Array.isArray(value) && value.every((tag) => typeof tag === "string"),
  },
  coerce: { expected: "`true` or `false`", fits: (value) => typeof value === "boolean" },
  strict: { expected: "`true` or `false`", fits: (value) => typeof value === "boolean" },
  text: {
    expected: '`"json"`, `"summary"` or `"none"`',
    fits: (value) => value === "json" || value === "summary" || value === "none",
  },
};

/** Reads the options of `platformLambda(fn, {…})` that the build needs; the others are used at run time. */
export function readOptions(reading: Reading, node: ts.Expression | undefined): ToolModel["options"] {
  if (node === undefined) return undefined;
  const literal = objectLiteral(reading, node);
  if (literal === undefined) {
    report(reading, {
      code: "TN403",
      place: placeOf(node),
      message: "The options of a tool are read at build time, and this is not an object literal.",
      fix: "write them as `{ … }`",
    });
    return undefined;
  }
  const entries: [string, JsonLiteral][] = [];
  for (const property of literal.properties) {
    const key = propertyKey(property);
    if (key === undefined) {
      report(reading, {
        code: "TN403",
        place: placeOf(property),
        message: "The options of a tool are read at build time, and this part cannot be.",
        fix: "write every option out",
      });
      continue;
    }
    const option = Object.hasOwn(literalOptions, key) ? literalOptions[key] : undefined;
    if (option === undefined) continue;
    const value = ts.isPropertyAssignment(property) ? property.initializer : undefined;
    const constant = readProperty(property, reading);
    if (!constant.ok) {
      report(reading, {
        code: "TN403",
        place: placeOf(value ?? property),
        message: `Option \`${key}\` is read at build time, and this is not a constant.`,
        fix: `write it as a literal: ${option.expected}`,
      });
    } else if (constant.value !== undefined && !option.fits(constant.value)) {
      report(reading, {
        code: "TN403",
        place: placeOf(value ?? property),
        message: `Option \`${key}\` is ${option.expected}.`,
      });
    } else if (constant.value !== undefined) {
      entries.push([key, constant.value]);
    }
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Returns an object literal: the expression itself, or the value of a local `const`. */
function objectLiteral(reading: Reading, node: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (ts.isObjectLiteralExpression(node)) return node;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return objectLiteral(reading, node.expression);
  if (!ts.isIdentifier(node)) return undefined;
  const declaration = reading.checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration) || declaration.initializer === undefined)
    return undefined;
  const constant = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  return constant && !ts.isIdentifier(declaration.initializer)
    ? objectLiteral(reading, declaration.initializer)
    : undefined;
}
