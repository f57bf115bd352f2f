import type { TypeModel } from "./type.ts";

/** The direct parts of a type. */
export function childTypes(type: TypeModel): readonly TypeModel[] {
  switch (type.kind) {
    case "array":
    case "set":
      return [type.items];
    case "map":
      return [type.values];
    case "tuple":
      return [...type.elements.map((element) => element.type), ...(type.rest === undefined ? [] : [type.rest])];
    case "object":
      return [
        ...type.fields.map((field) => field.type),
        ...(type.patterns ?? []).map((entry) => entry.type),
        ...(type.index === undefined ? [] : [type.index]),
      ];
    case "union":
      return type.members;
    default:
      return [];
  }
}
