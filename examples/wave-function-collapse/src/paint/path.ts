import { type Tile, sidesOf, tileSize } from "../tiles.ts";

const half = tileSize / 2;
/** Middles of the edges, and the corners clockwise of them. */
const middles = [
  [half, 0],
  [tileSize, half],
  [half, tileSize],
  [0, half],
] as const;
const corners = [
  [tileSize, 0],
  [tileSize, tileSize],
  [0, tileSize],
  [0, 0],
] as const;

/** Pixels from a point of a tile to the middle of its road or river; `Infinity` when it has none. */
export function distanceToPath(tile: Tile, kind: "road" | "river", x: number, y: number): number {
  const ends = sidesOf(tile, kind);
  const [first, second] = ends;
  if (first === undefined) return Infinity;
  if (ends.length === 2 && second !== undefined && second - first !== 2) {
    // Two neighbouring edges: a quarter of a circle around the corner between them.
    const [cornerX, cornerY] = corners[second - first === 1 ? first : 3] ?? [0, 0];
    return Math.abs(Math.hypot(x - cornerX, y - cornerY) - half);
  }
  return Math.min(...ends.map((side) => distanceToArm(side, x, y)));
}

/** To the straight line from the middle of an edge to the middle of the tile. */
function distanceToArm(side: number, x: number, y: number): number {
  const [endX, endY] = middles[side] ?? [half, half];
  const [alongX, alongY] = [(endX - half) / half, (endY - half) / half];
  const along = Math.min(Math.max((x - half) * alongX + (y - half) * alongY, 0), half);
  return Math.hypot(x - half - alongX * along, y - half - alongY * along);
}
