import { classKeyword, type ClassName } from "../contract/class-keyword.ts";
import type { JsonObject, JsonSchema } from "../contract/contract.ts";
import type { Choice, Only, Plan, ResultPlan } from "./decode-result.ts";

type Schema = JsonSchema | boolean | undefined;

/** Makes the plan by which results of a schema are decoded; undefined if no value needs a conversion. */
export function planOfSchema(schema: JsonSchema | undefined): ResultPlan | undefined {
  if (!schema || !JSON.stringify(schema).includes(`"${classKeyword}"`)) return undefined;
  const definitions = (schema["$defs"] ?? {}) as Reading["definitions"];
  const reading: Reading = { definitions, converted: new Set() };
  const { converted } = reading;
  for (let before = -1; before < converted.size;) {
    before = converted.size;
    for (const [name, type] of Object.entries(definitions)) if (planOf(type, reading)) converted.add(name);
  }
  const root = planOf(schema, reading);
  if (!root) return undefined;
  if (converted.size === 0) return { root };
  return { root, named: Object.fromEntries([...converted].map((name) => [name, planOf(definitions[name], reading)])) };
}

interface Reading {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  /** Names of the definitions that are known to contain a conversion, directly or through others. */
  readonly converted: Set<string>;
}

function planOf(schema: Schema, reading: Reading): Plan {
  if (typeof schema !== "object") return null;
  const target = nameIn(schema);
  if (target !== undefined) return reading.converted.has(target) ? { ref: target } : null;
  const name = schema[classKeyword] as ClassName | undefined;
  const items = (): Plan => planOf(schema["items"] as Schema, reading);
  const others = (): Plan => planOf(schema["additionalProperties"] as Schema, reading);
  if (name === "Set") return { set: items() };
  if (name === "Map") return { map: others() };
  if (name !== undefined) return name;
  const members = schema["anyOf"];
  if (Array.isArray(members)) {
    const any = members.map((member) => choiceOf(member as JsonSchema, reading));
    return any.some(({ plan }) => plan) ? { any } : null;
  }
  const first = ((schema["prefixItems"] ?? []) as readonly Schema[]).map((item) => planOf(item, reading));
  const list = items();
  if (list || first.some(Boolean)) return { list, ...(first.length > 0 && { first }) };
  return planOfKeys(schema, others(), reading);
}

function planOfKeys(schema: JsonSchema, others: Plan, reading: Reading): Plan {
  const plansOf = (schemas: unknown): readonly (readonly [string, Plan])[] =>
    Object.entries((schemas ?? {}) as JsonObject).map(([key, field]) => [key, planOf(field as Schema, reading)]);
  const keys = plansOf(schema["properties"]);
  const patterns = plansOf(schema["patternProperties"]);
  if (!others && ![...keys, ...patterns].some(([, plan]) => plan)) return null;
  return {
    // Declared keys without a conversion are listed as well, since `others` does not apply to them.
    keys: Object.fromEntries(keys.filter(([, plan]) => plan || others || patterns.length > 0)),
    ...(patterns.length > 0 && { patterns }),
    ...(others && { others }),
  };
}

function choiceOf(member: JsonSchema, reading: Reading): Choice {
  const { required = [], properties = {}, ...schema } = resolved(member, reading);
  return {
    only: onlyOf(schema),
    required: Object.fromEntries(
      (required as readonly string[]).map((key) => [
        key,
        onlyOf(resolved((properties as Readonly<Record<string, JsonSchema>>)[key] ?? {}, reading)),
      ]),
    ),
    plan: planOf(member, reading),
  };
}

function onlyOf({ enum: values, type, ...schema }: JsonSchema): Only {
  if (Array.isArray(values)) return values;
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return typeof type !== "string" ? null : type === "integer" ? "number" : type;
}

/** The definition that a schema refers to, or the schema itself. */
function resolved(schema: JsonSchema, { definitions }: Reading): JsonSchema {
  const target = nameIn(schema);
  return target === undefined ? schema : (definitions[target] ?? {});
}

/** Name of the definition that a schema refers to. */
function nameIn(schema: JsonSchema): string | undefined {
  const ref = schema["$ref"];
  return typeof ref === "string" ? ref.slice("#/$defs/".length) : undefined;
}
