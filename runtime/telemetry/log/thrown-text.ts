import type { JsonObject, JsonValue } from "../../contract/contract.ts";

/** Splits the fields of a record: errors become text below its line, the others stay fields. */
export function splitErrors(fields: JsonObject): { readonly text: string; readonly rest: JsonObject } {
  const { error, ...others } = fields;
  let text = thrownText(error);
  const rest: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined) continue;
    if (hasStack(value)) text += `\n${name}: ${thrownText(value).slice(1)}`;
    else rest.push([name, value]);
  }
  // A field called `error` that is not a described error is an ordinary field.
  if (error !== undefined && text === "") rest.push(["error", error]);
  return { text, rest: Object.fromEntries(rest) };
}

function hasStack(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && "stack" in value && "type" in value && "message" in value;
}

/**
 * The result of `describeThrown` as text: the stack, else the message, followed by its causes; empty for anything else.
 */
function thrownText(description: unknown): string {
  if (typeof description !== "object" || description === null || !("message" in description)) return "";
  const { stack, type, message, cause, errors, value } = description as { readonly [name: string]: unknown };
  const said = value === undefined ? String(message) : JSON.stringify(value);
  const line = type === "string" ? said : `${String(type)}: ${said}`;
  const text = typeof stack === "string" ? stack : line;
  const causes = thrownText(cause);
  const several = Array.isArray(errors) ? errors.map((one) => `\nOne of them: ${thrownText(one).slice(1)}`) : [];
  return `\n${text}${several.join("")}${causes === "" ? "" : `\nCaused by: ${causes.slice(1)}`}`;
}
