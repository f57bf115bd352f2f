import type { FieldModel, TypeModel } from "../../model/type.ts";

/** A contradiction between a field's text and its type: the words of the text, and of the type. */
export interface Contradiction {
  readonly said: string;
  readonly is: string;
}

/** A field whose text is compared with its type. */
export interface Claimed {
  readonly field: FieldModel;
  /** The field's type, with references resolved. */
  readonly type: TypeModel;
  readonly text: string;
  /** Names of fields and tools: a text that quotes one of them does not claim that it is a value of the field. */
  readonly names: ReadonlySet<string>;
}

/** Returns the literals of a union; undefined for a type that accepts other values as well. */
export function choiceOf(type: TypeModel): readonly (string | number | boolean | null)[] | undefined {
  if (type.kind === "literal") return [type.value];
  if (type.kind !== "union") return undefined;
  const values = type.members.flatMap((member) => (member.kind === "literal" ? [member.value] : []));
  return values.length === type.members.length ? values : undefined;
}
