import { resolveType } from "../emit/facts/type-facts.ts";
import type { ToolModel } from "../model/tool.ts";
import type { FieldModel } from "../model/type.ts";
import { requestFields, showsRequest, type TextFinding } from "./text-finding.ts";

/** Maximum number of fields for which the schema of a request is clear enough. */
const plainFields = 5;

/** TN608: a request of many fields, or with a union, without an `@example`. */
export function exampleMissing(tool: ToolModel): readonly TextFinding[] {
  const fields = requestFields(tool);
  const hasExample = showsRequest(tool) || fields.some((field) => examplesOf(field, tool) > 0);
  if (hasExample) return [];
  const union = fields.find((field) => isUnion(field, tool));
  if (fields.length <= plainFields && union === undefined) return [];
  const why = fields.length > plainFields ? `has ${fields.length} fields` : `has a union in \`${union?.key ?? ""}\``;
  return [
    {
      code: "TN608",
      at: tool.position,
      message: `The request of tool \`${tool.name}\` ${why}, and no \`@example\` shows one.`,
      fix: "write a request that works in its comment, as `@example` and JSON",
    },
  ];
}

function examplesOf({ examples, type }: FieldModel, { definitions }: ToolModel): number {
  return (examples ?? type.examples ?? resolveType(type, definitions).examples ?? []).length;
}

/**
 * True for a union that needs an example. A union of one value and `null`, or of a text and a list of texts, does not.
 */
function isUnion({ type }: FieldModel, { definitions }: ToolModel): boolean {
  const target = resolveType(type, definitions);
  if (target.kind !== "union") return false;
  const members = target.members.map((member) => resolveType(member, definitions));
  const shapes = members.filter(({ kind }) => kind !== "literal");
  return shapes.length > 1 && shapes.some(({ kind }) => kind === "object");
}
