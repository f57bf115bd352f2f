import type { JsonObject, JsonSchema, JsonValue } from "../../../runtime/contract/contract.ts";

/**
 * Arguments are one flat object. A root that is a choice of objects becomes one object with the keys of all, where only
 * the common ones are required. The validator still requires one of the choices, and the emitter warns about it.
 */
export function mergeRoot(schema: JsonSchema): JsonSchema {
  const members = ((schema["anyOf"] ?? []) as readonly JsonSchema[]).filter((member) => member["type"] === "object");
  const properties: Record<string, JsonValue> = {};
  for (const member of members) {
    for (const [key, value] of Object.entries((member["properties"] ?? {}) as JsonObject)) {
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
      properties[key] =
        known === undefined ? (value ?? {}) : mergeProperty(known as JsonSchema, (value ?? {}) as JsonSchema);
    }
  }
  const requiredBy = members.map((member) => (member["required"] ?? []) as readonly string[]);
  const required = (requiredBy[0] ?? []).filter((key) => requiredBy.every((keys) => keys.includes(key)));
  const $defs = schema["$defs"];
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    ...($defs !== undefined && { $defs }),
  };
}

function mergeProperty(first: JsonSchema, second: JsonSchema): JsonSchema {
  if (JSON.stringify(first) === JSON.stringify(second)) return first;
  const [left, right] = [first["enum"], second["enum"]];
  if (Array.isArray(left) && Array.isArray(right)) return { ...first, enum: [...new Set([...left, ...right])] };
  return { anyOf: [first, second] };
}
