import { randomAt } from "../random.ts";
import { tileSize } from "../tiles.ts";
import type { Canvas } from "./canvas.ts";
import type { Land } from "./land.ts";
import { noise } from "./noise.ts";
import type { Colour } from "./palette.ts";

/** Colours by ground level: each from the last one's level up to its own. */
const bands: readonly (readonly [upTo: number, colour: Colour])[] = [
  [0.12, "deep"],
  [0.34, "water"],
  [0.46, "shallow"],
  [0.53, "lagoon"],
  [0.56, "foam"],
  [0.61, "wetSand"],
  [0.73, "sand"],
  [0.86, "meadow"],
  [1.08, "grass"],
  [1.32, "turf"],
  [1.52, "thicket"],
  [2.3, "undergrowth"],
  [2.48, "scree"],
  [2.8, "rock"],
  [Infinity, "rockLight"],
];

const waterLine = 0.56;
const roadWidth = 2.1;

/** Paints a row of the land, the sea, rivers, roads and bridges; one colour for every pixel. */
export function paintGround(canvas: Canvas, land: Land, y: number): void {
  for (let x = 0; x < canvas.width; x++) canvas.set(x, y, colourAt(land, x + 0.5, y + 0.5));
}

function colourAt(land: Land, x: number, y: number): Colour {
  const height = land.height(x, y);
  const road = land.distance("road", x, y);
  if (road < roadWidth + 1.1) return roadAt(land, x, y, height, road);
  if (height < 0.34) return seaAt(land, x, y, height);
  // Grain, so that the bands do not end in clean lines.
  const grain = (randomAt(Math.floor(x), Math.floor(y), land.seed) - 0.5) * (height > 0.73 ? 0.16 : 0.03);
  return bandAt(height + grain);
}

function bandAt(height: number): Colour {
  return bands.find(([upTo]) => height < upTo)?.[1] ?? "rockLight";
}

/** Open water with short crests, further apart where it is deep. */
function seaAt(land: Land, x: number, y: number, height: number): Colour {
  const depth = noise(x, y, 23, land.seed + 7) * 0.14 + height;
  const swell = noise(x / 3.5, y * 1.15, 2.6, land.seed + 8);
  if (swell > 0.66) return depth < 0.12 ? "water" : "shallow";
  return depth < -0.06 ? "abyss" : bandAt(depth);
}

function roadAt(land: Land, x: number, y: number, height: number, road: number): Colour {
  if (height < waterLine) {
    if (road > roadWidth) return "rail";
    // Boards lie across the bridge: along its way, every third pixel is a gap.
    const eastward = land.tile(Math.floor(x / tileSize), Math.floor(y / tileSize)).links[1] === "road";
    return Math.floor(eastward ? x : y) % 3 === 0 ? "plankDark" : "plank";
  }
  if (road > roadWidth)
    return randomAt(Math.floor(x), Math.floor(y), land.seed + 5) < 0.7 ? "roadEdge" : bandAt(height);
  return noise(x, y, 3, land.seed + 6) > 0.35 ? "roadDark" : "road";
}
