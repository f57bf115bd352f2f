/** Abbreviations whose point does not end a sentence. */
const abbreviations = /(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|incl|approx|max|min|no|nr|fig|ca|st|dr|mr|ms|inc)|\b[A-Z])\.$/i;

/**
 * The first sentence of a text, without Markdown's marks of a heading. A heading, or a title in front of a blank line,
 * belongs to what comes after it.
 */
export function firstSentence(text: string): string {
  const plain = withoutHeading(text.trim());
  const paragraph = plain.split(/\n\s*(?:\n|[-*•] |\d+[.)] |#|```)/)[0] ?? "";
  for (const { 0: mark, index } of paragraph.matchAll(/[.!?]["'`)*]*(?=\s|$)/g)) {
    const end = index + mark.length;
    if (!abbreviations.test(paragraph.slice(0, index + 1))) return oneLine(paragraph.slice(0, end));
  }
  return oneLine(paragraph);
}

function withoutHeading(text: string): string {
  const heading = /^(?:#+ [^\n]*|\*\*[^*\n]+\*\*|[^\n.!?]{1,40}:?)\s*\n\s*(?=\S)/.exec(text)?.[0];
  const isTitle = heading !== undefined && (/^[#*]/.test(heading) || /\n\s*\n/.test(heading));
  return (isTitle ? text.slice(heading.length) : text).replace(/^[#>*\s-]+(?=\S)/, "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
