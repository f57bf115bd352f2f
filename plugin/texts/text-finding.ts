import type { RelatedPlace } from "../diagnostics/diagnostic.ts";
import type { TextCode } from "../diagnostics/text-codes.ts";
import type { ToolModel } from "../model/tool.ts";
import type { FieldModel, ObjectType, Position } from "../model/type.ts";
import { resolveType } from "../emit/facts/type-facts.ts";

/** A finding about the texts of a tool, before its level is known. */
export interface TextFinding {
  readonly code: TextCode;
  readonly at: Position;
  readonly message: string;
  readonly fix: string;
  readonly related?: readonly RelatedPlace[];
  /** Tag that would resolve the finding, at the end of the tool's comment. */
  readonly tag?: string;
}

/** The top-level fields of a tool's request. */
export function requestFields({ request, definitions }: ToolModel): readonly FieldModel[] {
  if (request === undefined) return [];
  const type = resolveType(request.type, definitions);
  return type.kind === "object" ? type.fields : [];
}

/** True for a tool with an example request: as `@example`, or as JSON in its text. */
export function showsRequest({ examples = [], description }: ToolModel): boolean {
  return examples.length > 0 || /^[ \t]*(?:```|~~~)\w*\s*\{/m.test(description);
}

/** Returns the text of a field: its own, else that of its type. */
export function fieldText({ description, type }: FieldModel): string {
  return description ?? type.description ?? "";
}

/** The object to which a field's type resolves, if it is one. */
export function objectIn(type: FieldModel["type"], { definitions }: ToolModel): ObjectType | undefined {
  const target = resolveType(type, definitions);
  return target.kind === "object" ? target : undefined;
}
