import { ToolError } from "../../../runtime/base/errors.ts";

/** `=`: the field is equal to the text. `~=`: the field contains the text, ignoring case. */
export interface Condition<Field extends string> {
  readonly field: Field;
  readonly operator: "=" | "~=";
  readonly text: string;
}

const form = /^\s*(\w+)\s*(~?=)\s*'((?:[^']|'')*)'\s*(?:(?:$|(and)\s))/i;

/**
 * Parses the supported part of the filter language: `name='…'` and `name~='…'`, joined by `and`; a quote in a text is
 * doubled. All conditions must hold. Throws `bad-request`.
 */
export function readFilter<Field extends string>(
  filter: string | undefined,
  fields: readonly Field[],
): readonly Condition<Field>[] {
  const conditions: Condition<Field>[] = [];
  for (let rest = filter; rest !== undefined;) {
    const [whole, name, operator, quoted, and] = form.exec(rest) ?? [];
    const field = fields.find((one) => one === name);
    if (whole === undefined || field === undefined || quoted === undefined) throw unknown(fields);
    conditions.push({ field, operator: operator === "=" ? "=" : "~=", text: quoted.replaceAll("''", "'") });
    rest = and === undefined ? undefined : rest.slice(whole.length);
  }
  return conditions;
}

function unknown(fields: readonly string[]): ToolError {
  const [first = ""] = fields;
  const more = fields.length === 1 ? "" : `, of ${fields.join(", ")}, joined by and`;
  return new ToolError(
    "bad-request",
    `The local platform knows the filters ${first}='…' and ${first}~='…' only${more}.`,
  );
}
