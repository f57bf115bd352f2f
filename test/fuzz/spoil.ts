import type { TypeModel } from "../../plugin/model/type.ts";
import type { ToolModel } from "../../plugin/model/tool.ts";
import { resolveType } from "../../plugin/emit/facts/type-facts.ts";

/** A legal value made illegal at one place. */
export interface Spoilt {
  readonly value: unknown;
  /** JSON Pointer of the place, from the value. */
  readonly path: string;
}

/**
 * Replaces one part of a legal value by one of a kind that its type never takes. `choose(n)` picks below n. `undefined`
 * where every value would be legal. Inside unions nothing is spoilt: another member might take it.
 */
export function spoil(
  type: TypeModel,
  value: unknown,
  definitions: ToolModel["definitions"],
  choose: (below: number) => number,
): Spoilt | undefined {
  const target = resolveType(type, definitions);
  const places = placesOf(target, value);
  const place = places.length === 0 || choose(4) === 0 ? undefined : places[choose(places.length)];
  if (place !== undefined && typeof value === "object" && value !== null) {
    const part = (value as Record<string, unknown>)[place.key];
    const inner = spoil(place.type, part, definitions, choose);
    if (inner === undefined) return undefined;
    const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    (copy as Record<string, unknown>)[place.key] = inner.value;
    return { value: copy, path: `/${place.key.replaceAll("~", "~0").replaceAll("/", "~1")}${inner.path}` };
  }
  const wrong = wrongFor(target);
  return wrong === undefined ? undefined : { value: wrong, path: "" };
}

interface Place {
  readonly key: string;
  readonly type: TypeModel;
}

function placesOf(type: TypeModel, value: unknown): readonly Place[] {
  if (Array.isArray(value)) {
    if (type.kind === "array" || type.kind === "set")
      return value.map((_, index) => ({ key: `${index}`, type: type.items }));
    if (type.kind !== "tuple") return [];
    return value.flatMap((_, index) => {
      const element = type.elements[index]?.type ?? type.rest;
      return element === undefined ? [] : [{ key: `${index}`, type: element }];
    });
  }
  if (typeof value !== "object" || value === null) return [];
  if (type.kind === "map") return Object.keys(value).map((key) => ({ key, type: type.values }));
  if (type.kind !== "object") return [];
  return type.fields.filter(({ key }) => Object.hasOwn(value, key) && key !== "__proto__");
}

/** A value that the type itself never takes. */
function wrongFor(type: TypeModel): unknown {
  switch (type.kind) {
    case "unknown":
    case "union":
    case "ref":
      return undefined;
    case "array":
    case "set":
    case "tuple":
      return { "~": true };
    case "object":
    case "map":
      return ["~"];
    default:
      return [{ "~": true }];
  }
}
