/** True for a text with one byte per character. */
export function isAsciiText(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
