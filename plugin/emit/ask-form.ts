import type { JsonSchema, JsonValue } from "../../runtime/contract/contract.ts";
import type { AskModel } from "../model/module.ts";
import { numberBounds } from "../model/number-bounds.ts";
import type { FieldModel, TypeModel } from "../model/type.ts";
import type { Insertion } from "./insert-tools.ts";
import { resolveType, type Definitions } from "./facts/type-facts.ts";

/** Inserts the generated form into each call `job.ask<T>(…)` of a module. */
export function insertAsks(asks: readonly AskModel[]): readonly Insertion[] {
  return asks.map(({ offset, hasOptions, single, ...ask }) => {
    const form = { schema: askSchema(ask), ...(single === true && { single }) };
    return { offset, text: `,${hasOptions === true ? "" : "void 0,"}${JSON.stringify(form)}` };
  });
}

/** Makes the schema of a form, as `elicitation/create` takes it. */
function askSchema({ type, definitions }: Pick<AskModel, "type" | "definitions">): JsonSchema {
  const properties = type.fields.map((field): [string, JsonSchema] => [field.key, fieldSchema(field, definitions)]);
  const required = type.fields.filter(({ optional }) => optional !== true).map(({ key }) => key);
  return { type: "object", properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

function fieldSchema(field: FieldModel, definitions: Definitions): JsonSchema {
  return {
    ...valueSchema(field.type, definitions),
    ...(field.title !== undefined && { title: field.title }),
    ...(field.description !== undefined && { description: field.description }),
    ...(field.default !== undefined && { default: field.default as JsonValue }),
  };
}

/** The schema of a form field. */
function valueSchema(type: TypeModel, definitions: Definitions): JsonSchema {
  const resolved = resolveType(type, definitions);
  const choices = choicesOf(resolved, definitions);
  if (choices !== undefined) return { type: "string", enum: choices };
  switch (resolved.kind) {
    case "boolean":
      return { type: "boolean" };
    case "string": {
      const { minLength, maxLength, format } = resolved;
      return {
        type: "string",
        ...(minLength !== undefined && { minLength }),
        ...(maxLength !== undefined && { maxLength }),
        ...(format !== undefined && { format }),
      };
    }
    case "number":
      return { type: resolved.integer === undefined ? "number" : "integer", ...numberBounds(resolved) };
    case "array": {
      const items = choicesOf(resolveType(resolved.items, definitions), definitions);
      const { minItems, maxItems } = resolved;
      return {
        type: "array",
        items: { type: "string", enum: items ?? [] },
        ...(minItems !== undefined && { minItems }),
        ...(maxItems !== undefined && { maxItems }),
      };
    }
    default:
      return {};
  }
}

/** The allowed texts of a choice; undefined for any other type. */
function choicesOf(type: TypeModel, definitions: Definitions): readonly string[] | undefined {
  if (type.kind === "literal") return typeof type.value === "string" ? [type.value] : undefined;
  if (type.kind !== "union") return undefined;
  const parts = type.members.map((member) => choicesOf(resolveType(member, definitions), definitions));
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}
