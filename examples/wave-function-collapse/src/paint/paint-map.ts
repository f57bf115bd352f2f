import type { IndexedImage } from "../encode-png.ts";
import { type Tile, tileSize } from "../tiles.ts";
import { Canvas } from "./canvas.ts";
import { Land } from "./land.ts";
import { paintGround } from "./paint-ground.ts";
import { paintThings } from "./paint-things.ts";

/**
 * Draws a solved map, 16 pixels to a tile. The same tiles and seed give the same picture.
 * Yields the part that is painted, 0 to 1, after each row of pixels.
 */
export function* paintMap(
  tiles: readonly Tile[],
  columns: number,
  rows: number,
  seed: number,
): Generator<number, IndexedImage, void> {
  const land = new Land(tiles, columns, rows, seed);
  const canvas = new Canvas(columns * tileSize, rows * tileSize);
  for (let y = 0; y < canvas.height; y++) {
    paintGround(canvas, land, y);
    yield (y + 1) / canvas.height;
  }
  paintThings(canvas, land);
  return canvas.image();
}
