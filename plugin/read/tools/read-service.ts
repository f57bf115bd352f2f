import { isRecord } from "../base/is-record.ts";
import { ts } from "ts-morph";
import type { ServiceModel } from "../../model/service.ts";
import type { JsonLiteral } from "../../model/type.ts";
import { propertyKey, readConstant, readProperty } from "../base/constants.ts";
import type { Constant } from "../base/constants.ts";
import { placeOf, positionOf, report } from "../base/reading.ts";
import type { Place, Reading } from "../base/reading.ts";
import { tenonName } from "../base/tenon-symbols.ts";

export interface EntryReading {
  readonly service?: ServiceModel;
  readonly stdio?: true;
}

/** Reads the service of a module: `new Service({…})`, the kind of start call, and direct use of stdio. */
export function readService(reading: Reading): EntryReading {
  if (!/\b(?:Service|startLambdaServer|startBatchService|runMcpStdio)\b/.test(reading.file.text)) return {};
  const constructed: ts.NewExpression[] = [];
  const calls = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && tenonName(reading, node.expression) === "Service") constructed.push(node);
    if (ts.isCallExpression(node)) {
      const name = /^(startLambdaServer|startBatchService|runMcpStdio)$/.exec(
        tenonName(reading, node.expression) ?? "",
      )?.[0];
      if (name !== undefined) calls.add(name);
    }
    ts.forEachChild(node, visit);
  };
  visit(reading.file);
  const stdio = calls.has("runMcpStdio") ? { stdio: true as const } : {};
  const [first, second] = constructed;
  if (second !== undefined)
    report(reading, {
      code: "TN406",
      place: placeOf(second),
      message: "This module constructs a second `Service`.",
      fix: "keep one",
    });
  if (first === undefined) return stdio;
  const flavour = calls.has("startBatchService") && !calls.has("startLambdaServer") ? "batch" : "lambda";
  const data = readArguments(reading, first);
  return {
    ...stdio,
    ...(data === undefined ? {} : { service: { ...data, flavour, position: positionOf(reading, placeOf(first)) } }),
  };
}

type ServiceData = Omit<ServiceModel, "flavour" | "position">;

const texts = ["name", "version", "description"] as const;
const parts = {
  contact: { required: ["name", "email"], optional: ["url"] },
  license: { required: ["name"], optional: ["url"] },
} as const;

function readArguments(reading: Reading, node: ts.NewExpression): ServiceData | undefined {
  const [argument] = node.arguments ?? [];
  const constant = argument === undefined ? undefined : readWithoutHooks(argument, reading.checker);
  if (constant?.ok === false) {
    report(reading, {
      code: "TN401",
      place: placeOf(constant.node),
      message: "The arguments of `Service` are read at build time, and this is not a constant.",
      fix: "write it as a literal, or as a `const` of this module that holds one",
    });
    return undefined;
  }
  const value = constant?.value;
  if (argument === undefined || !isRecord(value)) {
    report(reading, {
      code: "TN402",
      place: placeOf(argument ?? node),
      message: "`Service` takes an object with a `name`.",
      fix: 'write `new Service({ name: "…" })`',
    });
    return undefined;
  }
  return checkData(reading, value, (key) => keyPlace(argument, key) ?? placeOf(argument));
}

/** Functions that run when the service starts and stops; nothing of them is in the definition. */
const hooks: ReadonlySet<string | undefined> = new Set(["onStart", "onStop"]);

function readWithoutHooks(argument: ts.Expression, checker: ts.TypeChecker): Constant {
  const literal = objectLiteral(argument);
  if (literal === undefined) return readConstant(argument, checker);
  const entries: [string, JsonLiteral][] = [];
  for (const property of literal.properties) {
    const key = propertyKey(property);
    if (hooks.has(key)) continue;
    const constant = key === undefined ? ({ ok: false, node: property } as const) : readProperty(property, checker);
    if (!constant.ok) return constant;
    if (key !== undefined && constant.value !== undefined) entries.push([key, constant.value]);
  }
  return { ok: true, value: Object.fromEntries(entries) };
}

/** The data if `Service` knows all its fields; each invalid field is a diagnostic. */
function checkData(
  reading: Reading,
  value: Readonly<Record<string, JsonLiteral>>,
  at: (key: string) => Place,
): ServiceData | undefined {
  let good = true;
  const bad = (key: string, message: string): void => {
    good = false;
    report(reading, { code: "TN402", place: at(key), message });
  };
  const known: ReadonlySet<string> = new Set([...texts, ...Object.keys(parts)]);
  for (const key of Object.keys(value)) if (!known.has(key)) bad(key, `\`Service\` has no entry \`${key}\`.`);
  for (const key of texts)
    if (value[key] !== undefined && (typeof value[key] !== "string" || value[key] === ""))
      bad(key, `\`${key}\` of a \`Service\` is a text.`);
  if (value["name"] === undefined) bad("name", "`Service` needs a `name`.");
  for (const [key, shape] of Object.entries(parts)) {
    const inner = value[key];
    if (inner === undefined) continue;
    const allowed: ReadonlySet<string> = new Set([...shape.required, ...shape.optional]);
    const fits =
      isRecord(inner) &&
      shape.required.every((name) => typeof inner[name] === "string") &&
      Object.entries(inner).every(([name, text]) => allowed.has(name) && typeof text === "string");
    if (!fits)
      bad(
        key,
        `\`${key}\` of a \`Service\` has ${shape.required.map((name) => `\`${name}\``).join(" and ")}, and may have \`url\`; all are texts.`,
      );
  }
  return good ? (value as unknown as ServiceData) : undefined;
}

function keyPlace(argument: ts.Expression, key: string): Place | undefined {
  const property = objectLiteral(argument)?.properties.find((candidate) => propertyKey(candidate) === key);
  return property === undefined ? undefined : placeOf(property);
}

function objectLiteral(node: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return objectLiteral(node.expression);
  return ts.isObjectLiteralExpression(node) ? node : undefined;
}
