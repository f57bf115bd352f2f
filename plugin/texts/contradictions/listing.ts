import { type Claimed, choiceOf, type Contradiction } from "./claims.ts";

const list = /^\W*(?:an? |the )?(?:optional )?(?:list|array) of\b/i;
/** Matches words about a list that is written as one text. */
const written =
  /comma|separat|delimit|split|json|string|newline|line|space|encoded|text|csv|yaml|markdown|format|serializ|stringif|\be\.g\b|example|pipe|semicolon|path|file|url/i;
const scalar: ReadonlySet<string> = new Set(["string", "number", "boolean", "template", "date", "url"]);

/** Finds "list of" in the text of a field that takes one value. */
export function listing({ type, text }: Claimed): Contradiction | undefined {
  if (!scalar.has(type.kind) || choiceOf(type) !== undefined || !list.test(text) || written.test(text))
    return undefined;
  return { said: "a list", is: `one ${type.kind === "template" ? "string" : type.kind}` };
}
