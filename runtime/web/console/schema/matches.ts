import { isRecord, toJson, type Json } from "../base/json.ts";
import { isRequired, resolve, typeOf, typesOf, type Schema } from "./schema.ts";

/**
 * Points for how well a value fits an alternative of a union: the alternative with most points is shown. Less than 0:
 * it does not fit; -Infinity: it is an object or a list that its type or a constant in it gives to another alternative.
 */
export function fitOf(value: Json, schema: Schema, root: Schema): number {
  const at = resolve(schema, root);
  const none = value !== null && typeof value === "object" ? -Infinity : -1;
  if (at.const !== undefined) return toJson(at.const) === toJson(value) ? 100 : none;
  if (at.enum !== undefined) return at.enum.some((item) => toJson(item) === toJson(value)) ? 50 : none;
  const types = typesOf(at);
  const type = typeOf(value);
  const fits = types.length === 0 || types.includes(type) || (type === "number" && types.includes("integer"));
  if (!fits) return none;
  if (!isRecord(value)) return types.length === 0 ? 0 : 1;
  let points = 1;
  for (const [key, field] of Object.entries(at.properties ?? {})) {
    if (field === false) continue;
    const own = value[key] as Json | undefined;
    const { const: constant } = resolve(field, root);
    if (constant !== undefined) points += toJson(constant) === toJson(own) ? 100 : own === undefined ? -100 : none;
    else if (own !== undefined) points++;
    else if (isRequired(at, key)) points--;
  }
  return points;
}
