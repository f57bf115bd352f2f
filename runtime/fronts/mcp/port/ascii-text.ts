/** Whether a text has as many bytes as letters. */
export function isAsciiText(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
