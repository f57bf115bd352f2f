import type { TypeModel } from "../../model/type.ts";

/** Explains why no value can satisfy a narrowed type; `undefined` when a value can. */
export function contradiction(type: TypeModel): string | undefined {
  switch (type.kind) {
    case "union":
      return type.members.map(contradiction).find((text) => text !== undefined);
    case "array":
    case "set":
      return emptyRange("minItems", type.minItems, "maxItems", type.maxItems) ?? contradiction(type.items);
    case "string":
      return emptyRange("minLength", type.minLength, "maxLength", type.maxLength);
    case "number":
      return (
        emptyRange("minimum", type.minimum, "maximum", type.maximum) ??
        emptyRange("minimum", type.minimum, "exclusiveMaximum", type.exclusiveMaximum, true) ??
        emptyRange("exclusiveMinimum", type.exclusiveMinimum, "maximum", type.maximum, true) ??
        emptyRange("exclusiveMinimum", type.exclusiveMinimum, "exclusiveMaximum", type.exclusiveMaximum, true)
      );
    case "bigint":
      return type.minimum !== undefined && type.maximum !== undefined && BigInt(type.minimum) > BigInt(type.maximum)
        ? `nothing is from ${type.minimum} to ${type.maximum}`
        : undefined;
    default:
      return undefined;
  }
}

function emptyRange(
  lowName: string,
  low: number | undefined,
  highName: string,
  high: number | undefined,
  open = false,
): string | undefined {
  if (low === undefined || high === undefined || low < high || (low === high && !open)) return undefined;
  return `\`@${lowName} ${low}\` and \`@${highName} ${high}\` leave no value`;
}
