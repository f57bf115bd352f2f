import { BinaryResult, Content } from "tenon";

/** Says a text.
 * @tool
 * @param text The text. */
export function sayText(text: string): string {
  return `You said ${text}.`;
}

/** Gives bytes.
 * @tool */
export function giveBytes(): Uint8Array {
  return new Uint8Array([0, 1, 254, 255]);
}

/** Draws a picture.
 * @tool */
export function drawPicture(): BinaryResult {
  return new BinaryResult(new Uint8Array([137, 80, 78, 71]), "image/png");
}

/** Streams a picture.
 * @tool */
export async function streamPicture(): Promise<BinaryResult> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array([1, 2]);
    yield new Uint8Array([3]);
  }
  return new BinaryResult(pieces(), "image/webp");
}

/** Does something.
 * @tool */
export async function giveNothing(): Promise<void> {}

/** Gives a list.
 * @tool
 * @param n Its length. */
export function giveList(n: number): number[] {
  return Array.from({ length: n }, (_, index) => index);
}

/** Tells in pieces.
 * @tool */
export function givePieces(): (Content | string)[] {
  return ["first", Content.text("second")];
}
