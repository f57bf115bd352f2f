import { isObject } from "../../runtime/contract/validation/json-value.ts";
import type { JsonSchema } from "../../runtime/contract/contract.ts";
import { mutations, type Part } from "./schema-mutations.ts";

/** A schema with some parts changed; `numbers` decide which, and how. */
export function mutateSchema(schema: JsonSchema, numbers: readonly number[]): JsonSchema {
  let current: unknown = schema;
  const named = isObject(schema["$defs"]) ? schema["$defs"] : {};
  for (let index = 0; index + 2 < numbers.length; index += 3) {
    const [where = 0, how = 0, choice = 0] = numbers.slice(index, index + 3);
    const places = partsOf(current, []);
    const place = places[where % places.length];
    if (place === undefined) continue;
    const names = mayRefer(place) ? named : {};
    current = replaceAt(current, place, (part) => {
      for (let offset = 0; offset < mutations.length; offset++) {
        const changed = mutations[(how + offset) % mutations.length]?.(part, choice, names);
        if (changed !== undefined) return { ...changed, ...(part["$defs"] !== undefined && { $defs: part["$defs"] }) };
      }
      return part;
    });
  }
  return current as JsonSchema;
}

type Place = readonly string[];

/** False where a definition would be nothing but another one, or itself: no type is. */
function mayRefer([first, , ...steps]: Place): boolean {
  return first !== "$defs" || steps.some((step) => step !== "anyOf" && !/^\d+$/.test(step));
}

/** The places of all schemas in a schema. */
function partsOf(value: unknown, place: Place): readonly Place[] {
  if (!isObject(value)) return [];
  const found: Place[] = [place];
  for (const key of ["properties", "patternProperties", "$defs"]) {
    const named = value[key];
    if (isObject(named)) {
      for (const name of Object.keys(named)) {
        if (name !== "$schema") found.push(...partsOf(named[name], [...place, key, name]));
      }
    }
  }
  for (const key of ["anyOf", "prefixItems"]) {
    const list = value[key];
    if (Array.isArray(list)) found.push(...list.flatMap((item, at) => partsOf(item, [...place, key, String(at)])));
  }
  for (const key of ["items", "additionalProperties"]) found.push(...partsOf(value[key], [...place, key]));
  return found;
}

function replaceAt(value: unknown, [step, ...rest]: Place, change: (part: Part) => Part): unknown {
  if (step === undefined) return change(value as Part);
  if (Array.isArray(value)) return value.with(Number(step), replaceAt(value[Number(step)], rest, change));
  return Object.fromEntries(
    Object.entries(value as Part).map(([key, item]) => [key, key === step ? replaceAt(item, rest, change) : item]),
  );
}
