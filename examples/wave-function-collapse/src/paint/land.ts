import { type Tile, tileSize } from "../tiles.ts";
import { ease, mix, noise } from "./noise.ts";
import { distanceToPath } from "./path.ts";

/** A solved map as a landscape: what there is at each pixel. */
export class Land {
  /** In tiles. */
  readonly columns: number;
  readonly rows: number;
  readonly seed: number;
  readonly #tiles: readonly Tile[];

  constructor(tiles: readonly Tile[], columns: number, rows: number, seed: number) {
    this.#tiles = tiles;
    this.columns = columns;
    this.rows = rows;
    this.seed = seed;
  }

  /** The tile at a column and row. */
  tile(column: number, row: number): Tile {
    const tile = this.#tiles[row * this.columns + column];
    if (tile === undefined) throw new RangeError(`There is no tile at ${column}, ${row}.`);
    return tile;
  }

  /** Ground level, 0 sea to 3 peak: the corners' levels, made uneven, with the rivers cut in. */
  height(x: number, y: number): number {
    // Shifted by noise, so that coasts do not show where the tiles are.
    const bentX = x + noise(x, y, 17, this.seed) * 5 + noise(x, y, 6, this.seed + 1) * 1.8;
    const bentY = y + noise(x, y, 17, this.seed + 2) * 5 + noise(x, y, 6, this.seed + 3) * 1.8;
    const ground = this.#between(bentX, bentY) + noise(x, y, 7, this.seed + 4) * 0.1;
    const river = this.distance("river", x, y);
    return river === Infinity
      ? ground
      : Math.min(ground, 0.42 + Math.max(0, river - 1.6) * 0.11 + Math.max(0, river - 4) ** 2 * 0.09);
  }

  /** Pixels to the middle of the tile's road or river, which wind a little; `Infinity` where it has none. */
  distance(kind: "road" | "river", x: number, y: number): number {
    const bend = kind === "road" ? 1.1 : 2.4;
    const bentX = x + noise(x, y, 9, this.seed + 10) * bend;
    const bentY = y + noise(x, y, 9, this.seed + 11) * bend;
    const { tile, u, v } = this.#locate(bentX, bentY);
    return distanceToPath(tile, kind, u * tileSize, v * tileSize);
  }

  #between(x: number, y: number): number {
    const { tile, u, v } = this.#locate(x, y);
    const [nw, ne, se, sw] = tile.corners;
    return mix(mix(nw, ne, ease(u)), mix(sw, se, ease(u)), ease(v));
  }

  /** The tile of a pixel and the place within it, 0 to 1; beyond the border, the nearest place on it. */
  #locate(x: number, y: number): { readonly tile: Tile; readonly u: number; readonly v: number } {
    const [column, u] = within(x / tileSize, this.columns);
    const [row, v] = within(y / tileSize, this.rows);
    return { tile: this.tile(column, row), u, v };
  }
}

function within(place: number, count: number): readonly [whole: number, part: number] {
  const whole = Math.min(Math.max(Math.floor(place), 0), count - 1);
  return [whole, Math.min(Math.max(place - whole, 0), 1)];
}
