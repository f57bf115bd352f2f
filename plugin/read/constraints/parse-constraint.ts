import type { StringFormat } from "../../model/type.ts";
import type { Constraint } from "./constraints.ts";

const formats: readonly StringFormat[] = [
  "byte",
  "password",
  "regex",
  "uuid",
  "email",
  "hostname",
  "idn-email",
  "idn-hostname",
  "iri",
  "iri-reference",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uri-template",
  "url",
  "date-time",
  "date",
  "time",
  "duration",
  "json-pointer",
  "relative-json-pointer",
];
const numberTypes = ["integer", "int32", "uint32", "int64", "uint64", "float", "double"] as const;

/**
 * Parses a constraint from a tag's name and text. Returns a text that describes an invalid value, and `undefined` for
 * other tags.
 */
export function parseConstraint(name: string, text: string): Constraint | string | undefined {
  switch (name) {
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
    case "multipleOf": {
      const value = parseNumber(text);
      if (value === undefined) return "a number is expected";
      return name === "multipleOf" && value <= 0 ? "a number above 0 is expected" : { name, value, text };
    }
    case "minLength":
    case "maxLength":
    case "minItems":
    case "maxItems": {
      const value = parseNumber(text);
      return value === undefined || !Number.isSafeInteger(value) || value < 0
        ? "a whole number from 0 is expected"
        : { name, value };
    }
    case "pattern":
      return parsePattern(text);
    case "format": {
      const value = formats.find((format) => format === text);
      return value === undefined
        ? `one of ${formats.map((format) => `\`${format}\``).join(", ")} is expected`
        : { name, value };
    }
    case "type": {
      const word = text.replace(/^\{(.*)\}$/, "$1").trim();
      const value = numberTypes.find((type) => type === word);
      // JSDoc's `@type {string}` is ignored, since it repeats the type.
      if (value === undefined && /^\{.*\}/s.test(text)) return undefined;
      return value === undefined
        ? `one of ${numberTypes.map((type) => `\`${type}\``).join(", ")} is expected`
        : { name, value };
    }
    case "uniqueItems":
      if (text === "false") return undefined;
      return text === "" || text === "true" ? { name, value: true } : "no value is expected";
    default:
      return undefined;
  }
}

function parseNumber(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function parsePattern(text: string): Constraint | string {
  if (text === "") return "a regular expression is expected";
  const [, inside, flags = ""] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text) ?? [];
  if (inside !== undefined)
    return `it stands without slashes${flags.replace("u", "") === "" ? "" : " and flags"}: \`@pattern ${inside}\``;
  const behind = /(?<=(?:^|[^\\])(?:\\\\)*)\$(?=\s+[\p{L}\p{N}(])/u.exec(text);
  if (behind !== null && !isInClass(text, behind.index))
    return `no text has anything behind its end, \`$\`: write \`@pattern ${text.slice(0, behind.index + 1)}\`, and the words above the tags`;
  const [, pattern, words] = /^(\S*[\]\\)}+*?]\S*)((?: \p{L}[\p{L}'-]*[,;:]?){2,}[.!]?)$/u.exec(text) ?? [];
  if (pattern !== undefined && words !== undefined)
    return `\`${words.trim()}\` are words: write \`@pattern ${pattern}\`, and the words above the tags; a blank that is meant is \`[ ]\``;
  try {
    const { source } = new RegExp(text, "u");
    return source === "" ? "a regular expression is expected" : { name: "pattern", value: text };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/u?: /, "") : "";
    return `a regular expression with flag \`u\` is expected (${reason})`;
  }
}

/** True for a place between the brackets of a character class. */
function isInClass(pattern: string, at: number): boolean {
  let inside = false;
  for (let index = 0; index < at; index += 1) {
    if (pattern[index] === "\\") index += 1;
    else if (pattern[index] === "[") inside = true;
    else if (pattern[index] === "]") inside = false;
  }
  return inside;
}
