/** Formats a doc comment: a text, then each tag on a line. Empty if there is neither. Ends with a line break. */
export function docComment(description: string | undefined, tags: readonly string[]): string {
  const text = safeText(description ?? "").trim();
  const lines = [...(text === "" ? [] : text.split(/\r?\n/)), ...tags.filter((tag) => tag !== "").map(safeEnd)];
  if (lines.length === 0) return "";
  const [first = ""] = lines;
  const isShort = lines.length === 1 && first.length < 110;
  // Each tag gets its own line: on the line of the text, a tag would end the text before it.
  return isShort ? `/** ${first} */\n` : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

/**
 * Escapes the parts of a text that would begin a tag or end the comment. Code in backticks is not changed: no tags are
 * read in it.
 */
export function safeText(text: string): string {
  return safeEnd(text)
    .split(/(`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/(?<![\w\\])@(?=\w)/g, "\\@")))
    .join("");
}

function safeEnd(text: string): string {
  return text.replaceAll("*/", "*\\/");
}

/** Indents lines by one level, except empty ones. */
export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
