import { isObject } from "../../../runtime/contract/validation/json-value.ts";
import { ts } from "ts-morph";
import { longestInstructions, type ServiceModel, type StartModel } from "../../model/service.ts";
import type { JsonLiteral } from "../../model/type.ts";
import { propertyKey, readConstant, readProperty, type Constant, type DataOfClass } from "../base/constants.ts";
import { placeOf, positionOf, report, type Place, type Reading } from "../base/reading.ts";
import { tenonName } from "../base/tenon-symbols.ts";
import { bareExpression, declarationOf, isConst } from "./declared.ts";
import { readStart } from "./read-start.ts";

export interface EntryReading {
  readonly service?: ServiceModel;
  readonly start?: StartModel;
  readonly stdio?: true;
}

/** Reads the service of a module: `new Service({…})`, the start calls, and direct use of stdio. */
export function readService(reading: Reading): EntryReading {
  if (!/\b(?:Service|startLambdaServer|startBatchService|runMcpStdio)\b/.test(reading.file.text)) return {};
  const constructed: ts.NewExpression[] = [];
  const calls: { readonly name: string; readonly call: ts.CallExpression }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && tenonName(reading, node.expression) === "Service") constructed.push(node);
    if (ts.isCallExpression(node)) {
      const name = /^(startLambdaServer|startBatchService|runMcpStdio)$/.exec(
        tenonName(reading, node.expression) ?? "",
      )?.[0];
      if (name !== undefined) calls.push({ name, call: node });
    }
    ts.forEachChild(node, visit);
  };
  visit(reading.file);
  const called = (name: string): ts.CallExpression | undefined => calls.find((one) => one.name === name)?.call;
  const start = readStart(reading, called("startLambdaServer"), called("startBatchService"));
  const rest = {
    ...(start !== undefined && { start }),
    ...(called("runMcpStdio") !== undefined && { stdio: true as const }),
  };
  const [first, second] = constructed;
  if (second !== undefined)
    report(reading, {
      code: "TN406",
      place: placeOf(second),
      message: "This module constructs a second `Service`.",
      fix: "keep one",
    });
  if (first === undefined) return rest;
  const data = readArguments(reading, first);
  return {
    ...rest,
    ...(data === undefined ? {} : { service: { ...data, position: positionOf(reading, placeOf(first)) } }),
  };
}

type ServiceData = Omit<ServiceModel, "position">;

const texts = ["name", "version", "description", "instructions"] as const;
const parts = {
  contact: { required: ["name", "email"], optional: ["url"] },
  license: { required: ["name"], optional: ["url"] },
} as const;

function readArguments(reading: Reading, node: ts.NewExpression): ServiceData | undefined {
  const [argument] = node.arguments ?? [];
  const constant = argument === undefined ? undefined : readWithoutHooks(reading, argument);
  if (constant?.ok === false) {
    report(reading, {
      code: "TN401",
      place: placeOf(constant.node),
      message: "The arguments of `Service` are read at build time, and this is not a constant.",
      fix: "write it as a literal, or as a `const` that holds one",
    });
    return undefined;
  }
  const value = constant?.value;
  if (argument === undefined || !isObject(value)) {
    report(reading, {
      code: "TN402",
      place: placeOf(argument ?? node),
      message: "`Service` takes an object with a `name`.",
      fix: 'write `new Service({ name: "…" })`',
    });
    return undefined;
  }
  return checkData(reading, value, (key) => keyPlace(reading, argument, key) ?? placeOf(argument));
}

/** Functions that run when the service starts and stops. They do not affect the definition. */
const hooks: ReadonlySet<string | undefined> = new Set(["onStart", "onStop"]);

function readWithoutHooks(reading: Reading, argument: ts.Expression): Constant {
  const dataOf = dataOfParts(reading);
  const literal = objectLiteral(reading, argument);
  if (literal === undefined) return readConstant(argument, reading, dataOf);
  const entries: [string, JsonLiteral][] = [];
  for (const property of literal.properties) {
    const key = propertyKey(property);
    if (hooks.has(key)) continue;
    const constant =
      key === undefined ? ({ ok: false, node: property } as const) : readProperty(property, reading, dataOf);
    if (!constant.ok) return constant;
    if (key !== undefined && constant.value !== undefined) entries.push([key, constant.value]);
  }
  return { ok: true, value: Object.fromEntries(entries) };
}

/**
 * Recognises `new ServiceContact({…})` and `new ServiceLicense({…})`, whose objects have the fields of the argument.
 */
function dataOfParts(reading: Reading): DataOfClass {
  return ({ expression, arguments: [argument] = [] as never }) =>
    /^Service(?:Contact|License)$/.test(tenonName(reading, expression) ?? "") ? argument : undefined;
}

/** Returns the data of a `Service`, undefined if any field is unknown or invalid; each such field is reported. */
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
      isObject(inner) &&
      shape.required.every((name) => typeof inner[name] === "string") &&
      Object.entries(inner).every(([name, text]) => allowed.has(name) && typeof text === "string");
    if (!fits)
      bad(
        key,
        `\`${key}\` of a \`Service\` has ${shape.required.map((name) => `\`${name}\``).join(" and ")}, and may have \`url\`; all are texts.`,
      );
  }
  checkInstructions(reading, value["instructions"], at("instructions"));
  return good ? (value as unknown as ServiceData) : undefined;
}

function checkInstructions(reading: Reading, text: JsonLiteral | undefined, place: Place): void {
  if (typeof text !== "string" || Buffer.byteLength(text) <= longestInstructions) return;
  report(reading, {
    code: "TN417",
    place,
    message: `The instructions have ${Buffer.byteLength(text)} bytes, and hosts cut them at ${longestInstructions}.`,
    fix: "say what the service is for and when to use which tool, and leave the rest to the texts of the tools",
  });
}

function keyPlace(reading: Reading, argument: ts.Expression, key: string): Place | undefined {
  const literal = objectLiteral(reading, argument);
  if (literal?.getSourceFile() !== reading.file) return undefined;
  const property = literal.properties.find((candidate) => propertyKey(candidate) === key);
  return property === undefined ? undefined : placeOf(property);
}

/** Returns an object literal: the expression itself, or the value of a `const`. */
function objectLiteral(reading: Reading, node: ts.Expression): ts.ObjectLiteralExpression | undefined {
  const inner = bareExpression(node);
  if (!ts.isIdentifier(inner)) return ts.isObjectLiteralExpression(inner) ? inner : undefined;
  const declared = declarationOf(reading, inner);
  return declared !== undefined && ts.isVariableDeclaration(declared) && isConst(declared) && declared.initializer
    ? objectLiteral(reading, declared.initializer)
    : undefined;
}
