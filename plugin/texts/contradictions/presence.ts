import type { Claimed, Contradiction } from "./claims.ts";

/**
 * Matches "optional" and the like at the beginning, at the end, or in brackets; inside of a sentence the word may
 * concern something else.
 */
const optional =
  /^\W*optional(?:ly)?\s*[.:,)–—-]|^\W*optional\W*$|^\W*optional\s(?!(?:if|when|unless|for|in|on|with|only|\w+\s(?:or|and))\b)\w|[([]optional[)\]]/i;
const required = /^\W*required\s*[.:)]|^\W*required\W*$|[([]required[)\]]|[.;]\s*required\.?$/i;
/** Matches words that limit the statement to some cases. */
const condition = /\b(?:if|when|unless|except|only|either|one of|depending|otherwise|null)\b/i;

/** Finds "optional" in the text of a field that callers must give, or "required" in that of an optional field. */
export function presence({ field, type, text }: Claimed): Contradiction | undefined {
  if (condition.test(text)) return undefined;
  if (field.optional === true) {
    const isRequired = field.default === undefined && required.test(text) && !/optional/i.test(text);
    return isRequired ? { said: "required", is: "optional" } : undefined;
  }
  const takesNull = type.kind === "union" && type.members.some((one) => one.kind === "literal" && one.value === null);
  if (takesNull || !optional.test(text) || /required/i.test(text)) return undefined;
  return { said: "optional", is: "required" };
}
