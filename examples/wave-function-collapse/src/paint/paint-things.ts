import { randomAt } from "../random.ts";
import { type Four, levels, tileSize } from "../tiles.ts";
import type { Canvas } from "./canvas.ts";
import type { Land } from "./land.ts";
import {
  type Sprite,
  type Sprites,
  boats,
  boulders,
  cottages,
  fields,
  houses,
  key,
  peaks,
  pines,
  trees,
  tufts,
} from "./sprites.ts";

interface Thing {
  readonly x: number;
  readonly y: number;
  readonly sprite: Sprite;
}

/** Paints trees, peaks, houses, fields and boats; what stands further south hides what is behind it. */
export function paintThings(canvas: Canvas, land: Land): void {
  const settled = settlements(land);
  const things = [...settled, ...growth(land, settled)].toSorted((a, b) => a.y - b.y || a.x - b.x);
  for (const { x, y, sprite } of things) canvas.stamp(x - sprite.foot[0], y - sprite.foot[1], sprite.rows, key);
}

/**
 * Things that stand in a tile of their own: a church or a house where a road ends, fields and houses beside it, boats.
 */
function settlements(land: Land): Thing[] {
  const things: Thing[] = [];
  for (let row = 0; row < land.rows; row++) {
    for (let column = 0; column < land.columns; column++) {
      const { corners, links } = land.tile(column, row);
      const [x, y] = [column * tileSize, row * tileSize];
      const luck = randomAt(column, row, land.seed + 20);
      const which = randomAt(column, row, land.seed + 21);
      const roads = links.filter((link) => link === "road").length;
      const rivers = links.some((link) => link !== "road" && link !== "none");
      if (isAll(corners, levels.water) && roads === 0 && luck < 0.035) {
        things.push({ x: x + 8, y: y + 10, sprite: choose(boats, which) });
      } else if (!isAll(corners, levels.grass) || rivers) {
        continue;
      } else if (roads === 1) {
        things.push({ x: x + 8, y: y + 9, sprite: choose(houses, which) });
      } else if (roads > 1 && luck < 0.5) {
        const place = beside(links.map((link) => link === "road"));
        if (place !== undefined) things.push({ x: x + place[0], y: y + place[1], sprite: choose(cottages, which) });
      } else if (roads === 0 && luck < 0.12) {
        things.push({ x: x + 8, y: y + 12, sprite: choose(fields, which) });
      }
    }
  }
  return things;
}

/** Place in which a house has room beside the road; undefined for none. */
function beside([north, east, south, west]: readonly boolean[]): readonly [number, number] | undefined {
  if (north === true && south === true) return east === true ? (west === true ? undefined : [3, 5]) : [13, 7];
  if (north === true) return east === true ? [4, 12] : [11, 14];
  return [8, 4];
}

/** Plants and rocks by the height of the ground, on jittered grids that do not follow the tiles. */
function growth(land: Land, settled: readonly Thing[]): Thing[] {
  return [...scatter(land, 8, 40, summit), ...scatter(land, 4, 30, plant)].filter(
    ({ x, y }) =>
      land.distance("road", x, y) > 5.5 &&
      land.distance("river", x, y) > 3.6 &&
      !settled.some((thing) => Math.abs(thing.x - x) < 9 && y - thing.y < 6 && thing.y - y < 12),
  );
}

/** At most one thing per square of `spacing` pixels. */
function scatter(
  land: Land,
  spacing: number,
  salt: number,
  thing: (height: number, luck: number, which: number) => Sprite | undefined,
): Thing[] {
  const things: Thing[] = [];
  for (let row = 0; row * spacing < land.rows * tileSize; row++) {
    for (let column = 0; column * spacing < land.columns * tileSize; column++) {
      const [left, top, luck, which] = [0, 1, 2, 3].map((n) => randomAt(column, row, land.seed + salt + n));
      if (left === undefined || top === undefined || luck === undefined || which === undefined) continue;
      const x = Math.floor((column + left) * spacing);
      const y = Math.floor((row + top) * spacing);
      const sprite = thing(land.height(x, y), luck, which);
      if (sprite !== undefined) things.push({ x, y, sprite });
    }
  }
  return things;
}

function summit(height: number, luck: number, which: number): Sprite | undefined {
  if (height > 2.62) return luck < 0.85 ? choose(peaks, which) : choose(boulders, which);
  if (height > 2.42) return luck < 0.5 ? choose(boulders, which) : undefined;
  return undefined;
}

function plant(height: number, luck: number, which: number): Sprite | undefined {
  if (height > 2.6) return undefined;
  if (height > 2.35) return luck < 0.25 ? choose(pines, which) : undefined;
  if (height > 1.9) return luck < 0.8 ? choose(luck < 0.15 ? trees : pines, which) : undefined;
  if (height > 1.5) return luck < 0.85 ? choose(luck < 0.15 ? pines : trees, which) : undefined;
  if (height > 1.25) return luck < 0.25 ? choose(trees, which) : undefined;
  if (height > 0.85) return luck < 0.02 ? choose(trees, which) : luck < 0.14 ? choose(tufts, which) : undefined;
  return undefined;
}

function choose(sprites: Sprites, part: number): Sprite {
  return sprites[Math.floor(part * sprites.length)] ?? sprites[0];
}

function isAll<T>(values: Four<T>, value: T): boolean {
  return values.every((one) => one === value);
}
