/** Abbreviations whose full stop does not end a sentence. */
const abbreviations = /(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|incl|approx|max|min|no|nr|fig|ca|st|dr|mr|ms|inc)|\b[A-Z])\.$/i;

/**
 * Returns the first sentence of a text, without Markdown's heading marks. A heading, or a title before a blank line, is
 * joined with the text after it.
 */
export function firstSentence(text: string): string {
  const plain = withoutHeading(text.trim());
  const paragraph = plain.split(/\n\s*(?:\n|[-*•] |\d+[.)] |#|```)/)[0] ?? "";
  for (const { 0: mark, index } of paragraph.matchAll(/[.!?]["'`)*]*(?=\s|\\n|$)/g)) {
    const end = index + mark.length;
    if (!abbreviations.test(paragraph.slice(0, index + 1))) return oneLine(paragraph.slice(0, end));
  }
  return oneLine(paragraph);
}

/** Matches a heading, a title before a blank line, or a label such as `Purpose:` before a list. */
const headings: readonly RegExp[] = [
  /^#+ [^\n]*\n\s*(?=\S)/,
  /^\*\*[^*\n]+\*\*:?[ \t]*\n\s*(?=\S)/,
  /^[^\n.!?]{1,40}\n[ \t]*\n\s*(?=\S)/,
  /^[^\n.!?]{1,40}:?[ \t]*\n\s*(?=[-*•] |\d+[.)] )/,
];

function withoutHeading(text: string): string {
  const heading = headings.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined) ?? "";
  return text.slice(heading.length).replace(/^(?:[#>*\s-]+|\d+[.)]\s+)(?=\S)/, "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
