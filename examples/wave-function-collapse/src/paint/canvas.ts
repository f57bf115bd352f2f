import type { IndexedImage } from "../encode-png.ts";
import { type Colour, colours, palette } from "./palette.ts";

const indexes = new Map(Object.keys(colours).map((name, index) => [name, index]));

/** A picture to paint on. What falls outside is not painted. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#pixels = new Uint8Array(width * height);
  }

  set(x: number, y: number, colour: Colour): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.#pixels[y * this.width + x] = indexes.get(colour) ?? 0;
  }

  /** Paints rows of letters; each letter is a colour of the key, and all others are transparent. */
  stamp(x: number, y: number, rows: readonly string[], key: Readonly<Record<string, Colour>>): void {
    for (const [dy, row] of rows.entries()) {
      for (const [dx, letter] of [...row].entries()) {
        const colour = key[letter];
        if (colour !== undefined) this.set(x + dx, y + dy, colour);
      }
    }
  }

  image(): IndexedImage {
    return { width: this.width, height: this.height, pixels: this.#pixels, palette };
  }
}
