import { randomInt } from "node:crypto";
import { BinaryResult, type JobContext } from "tenon";
import { encodePng } from "./encode-png.ts";
import { paintMap } from "./paint/paint-map.ts";
import { progressOf, runPaced } from "./run-paced.ts";
import { solve } from "./solve.ts";
import { makeTiles } from "./tiles.ts";

/**
 * The size of a map and how hard to try.
 * @schema urn:example:schema.wave-function-collapse.request.1
 */
export interface MapRequest {
  /**
   * Width of the map in tiles; a tile is 16 pixels wide.
   * @type uint32
   * @minimum 1
   * @maximum 64
   * @example 8
   */
  width: number;
  /**
   * Height of the map in tiles; a tile is 16 pixels high.
   * @type uint32
   * @minimum 1
   * @maximum 64
   * @example 6
   */
  height: number;
  /**
   * Attempts to begin again when the tiles do not work out; 1 is enough for most maps.
   * @type uint32
   * @minimum 1
   * @maximum 100
   * @example 1
   */
  attempts: number;
  /**
   * Start of the random numbers: the same size and seed give the same picture. Chosen by chance when it is left out;
   * the picture's comment says which one it was.
   * @type uint32
   * @example 7
   */
  seed?: number;
}

/**
 * Invents a map and draws it: land and sea, woods and mountains, rivers, roads, bridges and villages.
 *
 * Returns a PNG picture. The map is made of tiles by wave function collapse, so that every coast closes, every river
 * runs from a mountain to the water, and every road leads somewhere. Ask for the same seed to get the same map again.
 *
 * @tool
 * @title Invent a map
 * @readonly
 * @thread
 * @timeout 60s
 * @example { "width": 8, "height": 6, "attempts": 1, "seed": 7 }
 */
export async function waveFunctionCollapse(request: MapRequest, job: JobContext): Promise<BinaryResult> {
  const { width, height, attempts, seed = randomInt(2 ** 32) } = request;
  const tiles = await solve(makeTiles(), { width, height, attempts, seed }, job);
  return job.report.step("draw", { message: `Drawing ${width} × ${height} tiles` }, async (step) => {
    const image = await runPaced(paintMap(tiles, width, height, seed), job.signal, progressOf(step));
    const png = encodePng(image, `seed ${seed}`);
    step.finished({ message: `${image.width} × ${image.height} pixels, ${png.length} bytes`, seed });
    return new BinaryResult(png, "image/png");
  });
}
