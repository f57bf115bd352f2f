import type { JsonLiteral } from "../../model/type.ts";
import { type Claimed, choiceOf, type Contradiction } from "./claims.ts";

const phrase =
  /\bdefaults?(?: value)?(?: is| to)?\s*[:=]?\s*(`[^`\n]*`|"[^"\n]*"|'[^'\n]*'|-?\d[\d,_]*(?:\.\d+)?(?![\w%-]|\.\d)|true\b|false\b)/gi;
/** Matches a unit in which the text may count differently than the field. */
const unit = /^\s*(?:%|seconds?|minutes?|hours?|days?|weeks?|months?|years?|[kmg]i?b\b|m?s\b|[kmgh]\b|x\b|\^|e\d)/i;

/** Finds a default in the text that differs from the field's default. */
export function defaultValue({ field, type, text }: Claimed): Contradiction | undefined {
  const { default: given } = field;
  if (given === undefined || given === null || typeof given === "object") return undefined;
  const claims = [...text.matchAll(phrase)].flatMap((match) => {
    const end = match.index + match[0].length;
    return unit.test(text.slice(end)) ? [] : [valueOf(match[1] ?? "")];
  });
  // Several statements are not judged, since they concern different cases.
  const [said] = claims;
  if (claims.length !== 1 || said === undefined || isSame(said, given)) return undefined;
  const isOfKind =
    typeof said === typeof given && (typeof said !== "string" || choiceOf(type)?.includes(said) !== false);
  return isOfKind ? { said: `the default ${code(said)}`, is: code(given) } : undefined;
}

function valueOf(text: string): string | number | boolean {
  if (/^[`"']/.test(text)) return plain(text.slice(1, -1));
  return plain(text.replace(/[,_](?=\d)/g, ""));
}

function plain(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  const inner = /^(["'])(.*)\1$/.exec(text)?.[2];
  if (inner !== undefined) return inner;
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function isSame(said: string | number | boolean, given: JsonLiteral): boolean {
  return String(said).toLowerCase() === String(given).toLowerCase();
}

function code(value: JsonLiteral): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}
