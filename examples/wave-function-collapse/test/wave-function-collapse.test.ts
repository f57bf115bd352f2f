import { ValueError, type BinaryResult } from "tenon";
import { callTool, recordedJob, type ToolCall } from "tenon/testing";
import { describe, expect, it } from "vitest";
import { collapse } from "../src/collapse.ts";
import { seededRandom } from "../src/random.ts";
import { solve } from "../src/solve.ts";
import { makeTiles, sidesOf } from "../src/tiles.ts";
import type { Piece } from "../src/wave.ts";
import { waveFunctionCollapse } from "../src/wave-function-collapse.ts";
import { decodePng } from "./decode-png.ts";

function finish<T>(generator: Generator<unknown, T, void>): T {
  for (;;) {
    const { done, value } = generator.next();
    if (done === true) return value as T;
  }
}

type Request = Parameters<typeof waveFunctionCollapse>[0];

async function draw(request: Request): Promise<Uint8Array> {
  return pictureOf(await callTool(waveFunctionCollapse, request));
}

function pictureOf({ result }: ToolCall<BinaryResult>): Uint8Array {
  expect(result.contentType).toBe("image/png");
  if (!(result.content instanceof Uint8Array)) throw new TypeError("The picture is not bytes.");
  return result.content;
}

describe("waveFunctionCollapse", () => {
  it("returns a PNG with 16 pixels per tile, whose comment has the seed", async () => {
    const picture = decodePng(await draw({ width: 8, height: 6, attempts: 1, seed: 7 }));
    expect(picture).toMatchObject({ width: 128, height: 96, comment: "seed 7" });
    expect(new Set(picture.pixels).size).toBeGreaterThan(10);
    expect(Math.max(...picture.pixels)).toBeLessThan(picture.colours);
  });

  it("draws the same picture for the same seed, and another for another", async () => {
    const request = { width: 12, height: 9, attempts: 1, seed: 1 };
    const first = Buffer.from(await draw(request));
    expect(first.equals(await draw(request))).toBe(true);
    expect(first.equals(await draw({ ...request, seed: 2 }))).toBe(false);
  });

  it("chooses a seed when none is given", async () => {
    const request = { width: 4, height: 4, attempts: 3 };
    const comments = [await draw(request), await draw(request)].map((png) => decodePng(png).comment);
    expect(comments[0]).toMatch(/^seed \d+$/);
    expect(comments[0]).not.toBe(comments[1]);
  });

  it.each([
    [1, 1],
    [64, 1],
    [1, 64],
    [40, 40],
  ])("draws %i × %i tiles", async (width, height) => {
    const picture = decodePng(await draw({ width, height, attempts: 3, seed: 5 }));
    expect([picture.width, picture.height]).toEqual([width * 16, height * 16]);
  });

  it("reports the attempt and the drawing as steps with percentages", async () => {
    const call = await callTool(waveFunctionCollapse, { width: 8, height: 6, attempts: 2, seed: 7 });
    expect(call.steps).toMatchObject([
      {
        name: "collapse",
        started: { message: "Attempt 1 of 2, seed 7" },
        finished: { message: "48 tiles placed" },
      },
      {
        name: "draw",
        started: { message: "Drawing 8 × 6 tiles" },
        progress: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((progress) => ({ message: `${progress} %`, progress })),
        finished: { message: `128 × 96 pixels, ${pictureOf(call).length} bytes` },
      },
    ]);
  });

  it("stops when the job is cancelled", async () => {
    const abort = new AbortController();
    const request = { width: 64, height: 64, attempts: 1, seed: 1 };
    const drawing = callTool(waveFunctionCollapse, request, { signal: abort.signal });
    abort.abort(new Error("cancelled by the caller"));
    await expect(drawing).rejects.toThrow("cancelled by the caller");
  });
});

describe("collapse", () => {
  it.each([1, 2, 3, 4, 5])("places tiles so that all edges fit, seed %i", (seed) => {
    const [width, height] = [24, 18];
    const tiles = finish(collapse(makeTiles(), width, height, seededRandom(seed))) ?? [];
    expect(tiles).toHaveLength(width * height);
    const wrong: string[] = [];
    for (const [index, { corners, links }] of tiles.entries()) {
      const east = (index + 1) % width === 0 ? undefined : tiles[index + 1];
      const south = tiles[index + width];
      const eastEdge = [corners[1], corners[2], links[1]].join();
      const southEdge = [corners[3], corners[2], links[2]].join();
      if (east && eastEdge !== [east.corners[0], east.corners[3], east.links[3]].join()) wrong.push(`east of ${index}`);
      if (south && southEdge !== [south.corners[0], south.corners[1], south.links[0]].join())
        wrong.push(`south of ${index}`);
    }
    expect(wrong).toEqual([]);
  });

  it("lets no river flow in a circle: following it always ends", () => {
    const [width, height] = [40, 30];
    const tiles = finish(collapse(makeTiles(), width, height, seededRandom(8))) ?? [];
    const rivers = tiles.filter((tile) => sidesOf(tile, "river").length > 0);
    expect(rivers.length).toBeGreaterThan(20);
    const out = { south: [2, 0, 1], east: [1, 1, 0], west: [3, -1, 0] } as const;
    for (let start = 0; start < tiles.length; start++) {
      let [x, y] = [start % width, Math.floor(start / width)];
      for (let length = 0; ; length++) {
        expect(length).toBeLessThan(width * height);
        const tile = x < 0 || y < 0 || x >= width || y >= height ? undefined : tiles[y * width + x];
        const course = (["south", "east", "west"] as const).find((flow) => tile?.links[out[flow][0]] === flow);
        if (course === undefined) break;
        x += out[course][1];
        y += out[course][2];
      }
    }
  });

  it("takes choices back where they lead nowhere", () => {
    // Few tiles with letters on their sides: chance alone runs into dead ends.
    const pieces = ["cabc", "bbbc", "abca", "bcba", "cccc", "cbac", "aaba"].map(lettered);
    let takenBack = 0;
    for (let seed = 0; seed < 10; seed++) {
      const run = collapse(pieces, 6, 6, seededRandom(seed));
      let state = run.next();
      for (let last = 0; state.done !== true; state = run.next()) {
        if (state.value <= last) takenBack++;
        last = state.value;
      }
      const names = state.value?.map(({ name }) => name) ?? [];
      expect(names).toHaveLength(36);
      const wrong = names.filter(
        (name, cell) =>
          (cell % 6 > 0 && name[3] !== names[cell - 1]?.[1]) || (cell >= 6 && name[0] !== names[cell - 6]?.[2]),
      );
      expect(wrong).toEqual([]);
    }
    expect(takenBack).toBeGreaterThan(10);
  });

  it("gives up on tiles that cannot fit", () => {
    expect(finish(collapse(impossible, 3, 3, seededRandom(1)))).toBeUndefined();
  });
});

describe("solve", () => {
  it("uses up its attempts and then tells the caller what to do", async () => {
    const { job, steps } = recordedJob();
    const failure = solve(impossible, { width: 3, height: 2, attempts: 3, seed: 9 }, job);
    await expect(failure).rejects.toBeInstanceOf(ValueError);
    await expect(failure).rejects.toThrow(
      "The tiles did not work out for 3 × 2 in 3 attempts. Allow more attempts, give another seed, or make the map smaller.",
    );
    expect(steps.map(({ finished }) => finished)).toEqual(
      [1, 2, 3].map(() => ({ message: "The tiles do not work out" })),
    );
  });
});

/** Two pieces that show different letters on all sides. */
const impossible: readonly Piece[] = [
  { weight: 1, sockets: [1, 2, 4, 8] },
  { weight: 1, sockets: [2, 4, 8, 16] },
];

/** A tile named by the letters on its north, east, south and west sides. */
function lettered(name: string): Piece & { readonly name: string } {
  const [north = 0, east = 0, south = 0, west = 0] = [...name].map((letter) => 1 << "abc".indexOf(letter));
  return { name, weight: 1, sockets: [north, east, south, west] };
}
