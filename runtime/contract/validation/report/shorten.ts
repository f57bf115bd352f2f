import type { JsonValue } from "../../contract.ts";

const longest = 100;
const secretName =
  /pass(?:word|wd|phrase|code)?$|token|secret|key$|credential|authori[sz]ation|^auth$|cookie|signature$|^pin$/i;
const separator = /[-_ .]/;
const separators = /[-_ .]/g;

/** True for a field name which suggests that its value is secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(separator.test(name) ? name.replaceAll(separators, "") : name);
}

/** Shortens a wire value for an error text: at most 100 characters, secrets hidden, only values that JSON can hold. */
export function shortenValue(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "string") return cut(value);
  if (typeof value === "symbol") return cut(value.description ?? "a symbol");
  if (typeof value !== "object") return value === undefined ? undefined : `a ${typeof value}`;
  const text = printBriefly(value, longest, 0);
  return text.length > longest ? cut(text) : safeParse(text);
}

/** Cuts a text after 100 UTF-16 units, never inside a surrogate pair. */
function cut(text: string): string {
  if (text.length <= longest) return text;
  const end = (text.charCodeAt(longest - 2) & 0xfc00) === 0xd800 ? longest - 2 : longest - 1;
  return `${text.slice(0, end)}…`;
}

/** Prints a value until the text is long enough, so that a megabyte is not printed for 100 characters. */
function printBriefly(value: unknown, room: number, depth: number): string {
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(typeof value === "string" ? value.slice(0, room + 2) : (shortenValue(value) ?? null));
  }
  if (depth > 20) return "null";
  const isArray = Array.isArray(value);
  let text = isArray ? "[" : "{";
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    if (text.length > room) return text;
    const item = (value as Record<string | number, unknown>)[key];
    const shown =
      typeof key === "string" && isSecretName(key) ? '"…"' : printBriefly(item, room - text.length, depth + 1);
    text += `${text.length > 1 ? "," : ""}${isArray ? "" : `${JSON.stringify(key)}:`}${shown}`;
  }
  return text + (isArray ? "]" : "}");
}

function safeParse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
