import type { Problem } from "../contract.ts";
import { fixedValues } from "./expected.ts";
import { canonicalJson, isObject } from "./json-value.ts";
import { isOfType, resolveSchema, schemaTypes } from "./schema.ts";
import type { FullSchema } from "./schema.ts";

/**
 * Chooses the member of a union that a value was meant to be and gives its problems: the member that a discriminating
 * field names, else the one with the fewest. `none` when the value is of no member's kind or is a scalar: then the text
 * of the whole union says more. No problems when a member accepts the value. `attempt` judges the value by one schema.
 */
export function chooseMember(
  members: readonly FullSchema[],
  value: unknown,
  root: FullSchema,
  attempt: (schema: FullSchema) => Problem[],
): readonly Problem[] | "none" {
  const candidates = members.filter((member) => {
    const types = schemaTypes(member, root);
    return types === undefined || isOfType(value, types);
  });
  if (isObject(value) && candidates.length > 1) {
    const key = discriminatorOf(candidates, root);
    if (key !== undefined)
      return attempt(discriminated(candidates, key, Object.hasOwn(value, key) ? value[key] : undefined, root));
  }
  let fewest: readonly Problem[] | undefined;
  for (const candidate of candidates) {
    const problems = attempt(candidate);
    if (problems.length === 0) return problems;
    if (fewest === undefined || problems.length < fewest.length) fewest = problems;
  }
  return fewest === undefined || typeof value !== "object" || value === null ? "none" : fewest;
}

/** A key that every candidate requires with values of its own. */
function discriminatorOf(candidates: readonly FullSchema[], root: FullSchema): string | undefined {
  const [first, ...others] = candidates.map((candidate) => resolveSchema(candidate, root));
  return first?.required?.find((key) => {
    const seen = new Set<string>();
    return [first, ...others].every((candidate) => {
      const property = Object.hasOwn(candidate.properties ?? {}, key) ? candidate.properties?.[key] : undefined;
      const values = property === undefined ? undefined : fixedValues(property, root);
      if (values === undefined || candidate.required?.includes(key) !== true) return false;
      const texts = values.map(canonicalJson);
      const fresh = texts.every((text) => !seen.has(text));
      for (const text of texts) seen.add(text);
      return fresh;
    });
  });
}

/** The member with the value's discriminator; without one, a schema that only asks for a known discriminator. */
function discriminated(candidates: readonly FullSchema[], key: string, value: unknown, root: FullSchema): FullSchema {
  const values = (candidate: FullSchema): readonly unknown[] => {
    const property = resolveSchema(candidate, root).properties?.[key];
    return property === undefined ? [] : (fixedValues(property, root) ?? []);
  };
  const named = candidates.find((candidate) => values(candidate).includes(value));
  if (named !== undefined) return named;
  return { type: "object", required: [key], properties: { [key]: { enum: candidates.flatMap(values) as never } } };
}
