/** Levels of nesting that a request may have. */
export const maxDepth: number = 512;

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Whether JSON text is nested deeper than {@link maxDepth}. Before `JSON.parse`, which accepts millions of levels, while
 * everything after it overflows the stack at a few thousand. Bytes inside strings do not count.
 */
export function isTooDeep(bytes: Uint8Array): boolean {
  const { length } = bytes;
  // So short a text cannot close as many levels; one that does not close them is refused by the parser.
  if (length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let at = 0; at < length; at++) {
    switch (bytes[at]) {
      case quote:
        at++;
        while (at < length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
        break;
      case openBracket:
      case openBrace:
        if (++depth > maxDepth) return true;
        break;
      case closeBracket:
      case closeBrace:
        depth--;
        break;
      default:
    }
  }
  return false;
}
