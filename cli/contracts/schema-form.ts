import { isObject } from "../../runtime/contract/validation/json-value.ts";

/** Maximum nesting of a schema. No tool needs more, and code that reads schemas is recursive. */
const deepest = 200;
/** Maximum number of definitions in one schema. */
const mostDefinitions = 1000;

const types: ReadonlySet<unknown> = new Set(["null", "boolean", "number", "integer", "string", "array", "object"]);
const classes: ReadonlySet<unknown> = new Set(["Date", "URL", "bigint", "bytes", "Set", "Map"]);

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Tests for keywords that contain no schemas, if their values are used. */
const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => types.has(value) || (Array.isArray(value) && value.every((one) => types.has(one))),
  "x-type": (value) => classes.has(value),
  $ref: isText,
  enum: Array.isArray,
  required: isTexts,
  pattern: isPattern,
  format: isText,
  contentEncoding: isText,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
};
const mapsOfSchemas = ["properties", "patternProperties", "$defs"];
const listsOfSchemas = ["anyOf", "allOf", "prefixItems"];
const singleSchemas = ["items", "additionalProperties"];

interface Part {
  readonly schema: unknown;
  readonly place: string;
  readonly depth: number;
  /** True if `true` or `false` is allowed here. */
  readonly mayBeBoolean?: boolean;
}

/**
 * Describes in a few words what is wrong with the form of a schema from elsewhere; undefined if it is valid. Its texts
 * become types and code, so that anything outside of the dialect must be refused.
 */
export function schemaFault(root: unknown): string | undefined {
  // Uses a list instead of recursion, since the depth of an untrusted schema is not limited.
  const open: Part[] = [{ schema: root, place: "", depth: 0 }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { schema, place, depth } = part;
    if (part.mayBeBoolean === true && typeof schema === "boolean") continue;
    if (!isObject(schema)) return `${place} is not a schema`;
    if (depth > deepest) return `it is nested more than ${deepest} levels deep`;
    for (const [key, test] of Object.entries(tests))
      if (Object.hasOwn(schema, key) && !test(schema[key]))
        return `${place}/${key} has a value that ${key} cannot have`;
    const found = partsOf(schema, place, depth + 1);
    if (typeof found === "string") return found;
    open.push(...found);
  }
  return isObject(root) && leadsToItself(root) ? "a definition holds nothing but itself" : undefined;
}

function partsOf(schema: Record<string, unknown>, place: string, depth: number): readonly Part[] | string {
  const parts: Part[] = [];
  for (const key of mapsOfSchemas.filter((one) => Object.hasOwn(schema, one))) {
    const map = schema[key];
    if (!isObject(map)) return `${place}/${key} is not an object`;
    const entries = Object.entries(map);
    if (key === "$defs" && entries.length > mostDefinitions) return `it has more than ${mostDefinitions} definitions`;
    const illegal = key === "patternProperties" ? entries.find(([pattern]) => !isPattern(pattern)) : undefined;
    if (illegal !== undefined) return `${place}/${key} has a key that is not a pattern`;
    for (const [name, one] of entries)
      parts.push({ schema: one, place: `${place}/${key}/${name}`, depth, mayBeBoolean: key === "properties" });
  }
  for (const key of listsOfSchemas.filter((one) => Object.hasOwn(schema, one))) {
    const list = schema[key];
    if (!Array.isArray(list)) return `${place}/${key} is not a list`;
    for (const [index, one] of list.entries()) parts.push({ schema: one, place: `${place}/${key}/${index}`, depth });
  }
  for (const key of singleSchemas.filter((one) => Object.hasOwn(schema, one)))
    parts.push({ schema: schema[key], place: `${place}/${key}`, depth, mayBeBoolean: true });
  return parts;
}

/**
 * True if references and unions alone lead back to their beginning: then it is undefined which values the schema
 * accepts.
 */
function leadsToItself(root: Record<string, unknown>): boolean {
  const definitions = isObject(root["$defs"]) ? root["$defs"] : {};
  const under = new Set<unknown>();
  const done = new Set<unknown>();
  const visit = (schema: unknown): boolean => {
    if (!isObject(schema) || done.has(schema)) return false;
    if (under.has(schema) || under.size > deepest * 5) return true;
    under.add(schema);
    const { $ref, anyOf = [], allOf = [] } = schema;
    const name = typeof $ref === "string" ? $ref.slice("#/$defs/".length) : undefined;
    const target = name !== undefined && Object.hasOwn(definitions, name) ? [definitions[name]] : [];
    const found = [...target, ...(anyOf as unknown[]), ...(allOf as unknown[])].some(visit);
    under.delete(schema);
    done.add(schema);
    return found;
  };
  return Object.values(definitions).some(visit) || visit(root);
}

function isPattern(value: unknown): boolean {
  // Longer patterns are refused, since a pattern can be nested as deeply as it is long.
  if (typeof value !== "string" || value.length > 10_000) return false;
  try {
    new RegExp(value, "u").test("");
    return true;
  } catch {
    return false;
  }
}
