import { createHash } from "node:crypto";
import type { JsonSchema, JsonValue } from "../../../runtime/contract/contract.ts";

/** Keywords that only describe values for people. */
const texts: ReadonlySet<string> = new Set(
  "$schema $defs $comment title description examples default deprecated x-enum-descriptions".split(" "),
);

/**
 * A digest of the values that a full schema accepts. Names of definitions, texts and the order of fields do not count,
 * so that the digest changes only with the type.
 */
export function fingerprintOf(schema: JsonSchema): string {
  return createHash("sha256").update(canonical(schema)).digest("base64url").slice(0, 16);
}

function canonical(schema: JsonSchema): string {
  const defs = (schema["$defs"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  /** Numbers of definitions, in the order of their first use. */
  const met = new Map<string, number>();
  const visit = (value: JsonValue | undefined, isNames: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item: JsonValue) => visit(item, false));
    if (typeof value !== "object" || value === null) return value;
    const object = value as JsonSchema;
    const name = typeof object["$ref"] === "string" && !isNames ? object["$ref"].replace("#/$defs/", "") : undefined;
    if (name !== undefined) {
      const known = met.get(name);
      if (known !== undefined) return { ref: known };
      met.set(name, met.size);
      return { as: met.size - 1, is: visit(defs[decodeURIComponent(name)], false) };
    }
    const keys = Object.keys(object)
      .filter((key) => isNames || !texts.has(key))
      .toSorted();
    return Object.fromEntries(
      keys.map((key) => {
        const member = object[key];
        const isSet = key === "required" && !isNames && Array.isArray(member);
        const isNamed = !isNames && (key === "properties" || key === "patternProperties");
        return [key, isSet ? (member as readonly string[]).toSorted() : visit(member, isNamed)];
      }),
    );
  };
  return JSON.stringify(visit(schema, false));
}
