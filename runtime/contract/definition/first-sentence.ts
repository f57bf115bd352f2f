/**
 * Returns the first sentence of a text, on one line; empty for an empty text. A dot before a small letter does not end
 * a sentence.
 */
export function firstSentence(text: string): string {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/, 1);
  const line = paragraph.replace(/\s+/g, " ");
  return /^.*?[.!?](?= (?![a-z])|$)/.exec(line)?.[0] ?? line;
}
