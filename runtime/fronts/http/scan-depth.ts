/** Maximum nesting of a request. */
export const maxDepth: number = 512;

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * True for JSON text that is nested deeper than {@link maxDepth}. Checked before `JSON.parse`, which accepts millions
 * of levels, while later code overflows the stack at a few thousand. Bytes inside strings do not count.
 */
export function isTooDeep(bytes: Uint8Array): boolean {
  const { length } = bytes;
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
