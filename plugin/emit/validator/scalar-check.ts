import type { NumberType, StringFormat, StringType, TypeModel } from "../../model/type.ts";
import { integerPattern } from "../facts/integer-pattern.ts";
import { jsonText, regexText } from "../text/js-text.ts";
import type { RuntimeName } from "../text/runtime-names.ts";
import type { Scope } from "../text/scope.ts";
import { numberBounds } from "../../model/number-bounds.ts";

const formatHelpers: Readonly<Record<StringFormat, RuntimeName>> = {
  byte: "isBase64",
  password: "isText",
  regex: "isRegex",
  uuid: "isUuid",
  email: "isEmail",
  hostname: "isHostname",
  "idn-email": "isIdnEmail",
  "idn-hostname": "isIdnHostname",
  iri: "isIri",
  "iri-reference": "isIriReference",
  ipv4: "isIpv4",
  ipv6: "isIpv6",
  uri: "isUri",
  "uri-reference": "isUriReference",
  "uri-template": "isUriTemplate",
  url: "isUrl",
  "date-time": "isDateTime",
  date: "isDate",
  time: "isTime",
  duration: "isDuration",
  "json-pointer": "isJsonPointer",
  "relative-json-pointer": "isRelativeJsonPointer",
};

/** Makes the test of a wire value against a type without parts; `undefined` for a type with parts. */
export function scalarCheck(type: TypeModel, value: string, scope: Scope): string | undefined {
  switch (type.kind) {
    case "boolean":
      return `typeof ${value}=="boolean"`;
    case "literal":
      return `${value}===${jsonText(type.value)}`;
    case "string":
      return stringCheck(type, value, scope);
    case "template":
      return `typeof ${value}=="string"&&${patternCheck(type.pattern, value, scope)}`;
    case "number":
      return numberCheck(type, value, scope);
    case "date":
      return `${scope.helper("isDateTime")}(${value})`;
    case "url":
      return `${scope.helper("isUri")}(${value})`;
    case "bigint":
      return type.minimum === undefined && type.maximum === undefined
        ? `${scope.helper("isBigIntText")}(${value})`
        : `${scope.helper("isBigIntText")}(${value})&&${patternCheck(integerPattern(type.minimum, type.maximum), value, scope)}`;
    case "never":
      return "!1";
    case "bytes":
      return `${scope.helper("isBase64")}(${value})`;
    default:
      return undefined;
  }
}

function stringCheck(type: StringType, value: string, scope: Scope): string {
  const { minLength = 0, maxLength, patterns = [], format } = type;
  const tests = [
    format === undefined ? `typeof ${value}=="string"` : `${scope.helper(formatHelpers[format])}(${value})`,
  ];
  if (minLength === 1) tests.push(`${value}!==""`);
  else if (minLength > 1) tests.push(`${scope.helper("textLength")}(${value})>=${minLength}`);
  if (maxLength !== undefined) tests.push(`${scope.helper("isWithin")}(${value},${maxLength})`);
  return [...tests, ...patterns.map((pattern) => patternCheck(pattern, value, scope))].join("&&");
}

function patternCheck(pattern: string, value: string, scope: Scope): string {
  return `${patternName(pattern, scope)}.test(${value})`;
}

/**
 * Returns the name of a constant regular expression: a literal inside a function would create a new object at each
 * call.
 */
export function patternName(pattern: string, scope: Scope): string {
  return scope.constant(`pattern:${pattern}`, "pattern", () => regexText(pattern));
}

const sizedHelpers: Readonly<Record<string, RuntimeName>> = { int32: "isInt32", uint32: "isUint32" };

/** Returns the author's bounds, if they are narrower than those of the sized integer. */
function narrowerBounds(type: NumberType): { readonly minimum?: number; readonly maximum?: number } {
  const { minimum: least, maximum: most } = numberBounds({
    kind: "number",
    ...(type.integer && { integer: type.integer }),
  });
  const { minimum, maximum } = numberBounds(type);
  return {
    ...(minimum !== undefined && minimum !== least && { minimum }),
    ...(maximum !== undefined && maximum !== most && { maximum }),
  };
}

function numberCheck(type: NumberType, value: string, scope: Scope): string {
  const sized = sizedHelpers[type.integer ?? ""];
  // Only narrower bounds need a test, since the runtime check of a sized integer includes its own bounds.
  const { minimum, maximum } = sized === undefined ? numberBounds(type) : narrowerBounds(type);
  const tests = [`${scope.helper(sized ?? (type.integer === undefined ? "isNumber" : "isInteger"))}(${value})`];
  if (minimum !== undefined) tests.push(`${value}>=${minimum}`);
  if (maximum !== undefined) tests.push(`${value}<=${maximum}`);
  if (type.exclusiveMinimum !== undefined) tests.push(`${value}>${type.exclusiveMinimum}`);
  if (type.exclusiveMaximum !== undefined) tests.push(`${value}<${type.exclusiveMaximum}`);
  if (type.multipleOf !== undefined) tests.push(`${scope.helper("isMultiple")}(${value},${type.multipleOf})`);
  return tests.join("&&");
}
