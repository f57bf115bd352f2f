import type { Piece } from "./wave.ts";

/** Pixels on a tile's side when it is drawn. */
export const tileSize = 16;

/** Ground at a tile's corner; neighbours differ by one step at most. */
export const levels = { water: 0, grass: 1, forest: 2, mountain: 3 } as const;
export type Level = (typeof levels)[keyof typeof levels];

/** Side to which a river flows. Never north, so that it cannot flow in a circle. */
export type Flow = "south" | "east" | "west";

/** Ways and waters that cross the middle of a tile's edge. */
export type Link = "none" | "road" | Flow;

/** Edges and corners clockwise: north, east, south, west; north-west, north-east, south-east, south-west. */
export type Four<T> = readonly [T, T, T, T];

export interface Tile extends Piece {
  readonly corners: Four<Level>;
  readonly links: Four<Link>;
}

type Drawing = Omit<Tile, "sockets">;

const { water: W, grass: G, forest: F, mountain: M } = levels;
const nothing: Four<Link> = ["none", "none", "none", "none"];

/** All tiles: every way in which two neighbouring kinds of ground meet, and roads and rivers where they may run. */
export function makeTiles(): readonly Tile[] {
  const drawings = [
    plain(W, 40),
    plain(G, 50),
    plain(F, 12),
    plain(M, 3.5),
    ...borders(W, 4),
    ...borders(G, 2),
    ...borders(F, 0.9),
    ...roads(),
    ...rivers(G, 1),
    ...rivers(F, 0.5),
    ...riverEnds(),
  ];
  const kinds: string[] = [];
  return drawings.map(({ corners, links, weight }) => ({
    corners,
    links,
    weight,
    sockets: sockets(corners, links, kinds),
  }));
}

/** One bit per kind of edge: its two corners, west or north first, and what crosses it. */
function sockets([nw, ne, se, sw]: Four<Level>, links: Four<Link>, kinds: string[]): Four<number> {
  const [north, east, south, west] = links;
  function socket(...edge: readonly [Level, Level, Link]): number {
    const kind = edge.join(" ");
    if (!kinds.includes(kind)) kinds.push(kind);
    return 1 << kinds.indexOf(kind);
  }
  return [socket(nw, ne, north), socket(ne, se, east), socket(sw, se, south), socket(nw, sw, west)];
}

function plain(level: Level, weight: number): Drawing {
  return { corners: [level, level, level, level], links: nothing, weight };
}

/** The 14 ways to divide a tile between a level and the next: 4 single corners of either, 4 halves, 2 saddles. */
function borders(lower: Level, weight: number): Drawing[] {
  const higher = (lower + 1) as Level;
  return [
    ...turned({ corners: [higher, lower, lower, lower], links: nothing, weight }),
    ...turned({ corners: [higher, higher, lower, lower], links: nothing, weight: weight * 1.5 }),
    ...turned({ corners: [higher, higher, higher, lower], links: nothing, weight }),
    ...turned({ corners: [higher, lower, higher, lower], links: nothing, weight: weight / 8 }, 2),
  ];
}

function roads(): Drawing[] {
  const corners: Four<Level> = [G, G, G, G];
  return [
    ...turned({ corners, links: ["road", "none", "road", "none"], weight: 5 }, 2),
    ...turned({ corners, links: ["road", "road", "none", "none"], weight: 0.9 }),
    ...turned({ corners, links: ["road", "road", "none", "road"], weight: 0.4 }),
    ...turned({ corners, links: ["road", "none", "none", "none"], weight: 0.5 }),
    { corners, links: ["road", "road", "road", "road"], weight: 0.2 },
    // A long bridge: from the shore over the water.
    ...turned({ corners: [G, G, W, W], links: ["road", "none", "road", "none"], weight: 0.15 }),
    ...turned({ corners: [W, W, W, W], links: ["road", "none", "road", "none"], weight: 0.1 }, 2),
  ];
}

/** Rivers through level ground: straight, around a bend, two that join, and under a road. */
function rivers(level: Level, weight: number): Drawing[] {
  const corners: Four<Level> = [level, level, level, level];
  const courses: readonly Four<Link>[] = [
    ["south", "none", "south", "none"],
    ["none", "east", "none", "east"],
    ["none", "west", "none", "west"],
    ["south", "east", "none", "none"],
    ["south", "none", "none", "west"],
    ["none", "none", "south", "east"],
    ["none", "west", "south", "none"],
  ];
  const joins: readonly Four<Link>[] = [
    ["south", "none", "south", "east"],
    ["south", "west", "south", "none"],
  ];
  const bridges: readonly Four<Link>[] = [
    ["south", "road", "south", "road"],
    ["road", "east", "road", "east"],
    ["road", "west", "road", "west"],
  ];
  return [
    ...courses.map((links) => ({ corners, links, weight })),
    ...joins.map((links) => ({ corners, links, weight: weight / 8 })),
    ...(level === G ? bridges.map((links) => ({ corners, links, weight })) : []),
  ];
}

/** Heights at which rivers rise, leave the forest, and reach the sea. */
function riverEnds(): Drawing[] {
  return [
    { corners: [M, M, F, F], links: ["none", "none", "south", "none"], weight: 0.3 },
    { corners: [M, F, F, M], links: ["none", "east", "none", "none"], weight: 0.3 },
    { corners: [F, M, M, F], links: ["none", "none", "none", "west"], weight: 0.3 },
    { corners: [F, F, G, G], links: ["south", "none", "south", "none"], weight: 1 },
    { corners: [F, G, G, F], links: ["none", "east", "none", "east"], weight: 1 },
    { corners: [G, F, F, G], links: ["none", "west", "none", "west"], weight: 1 },
    { corners: [G, G, W, W], links: ["south", "none", "none", "none"], weight: 0.6 },
    { corners: [G, W, W, G], links: ["none", "none", "none", "east"], weight: 0.6 },
    { corners: [W, G, G, W], links: ["none", "west", "none", "none"], weight: 0.6 },
  ];
}

/** The tile in its `count` quarter turns. */
function turned(tile: Drawing, count: number = 4): Drawing[] {
  const tiles = [tile];
  while (tiles.length < count) {
    const { corners, links, weight } = tiles[tiles.length - 1] ?? tile;
    tiles.push({
      corners: [corners[3], corners[0], corners[1], corners[2]],
      links: [links[3], links[0], links[1], links[2]],
      weight,
    });
  }
  return tiles;
}

/** The sides of a tile that a road, or a river, crosses: 0 north to 3 west. */
export function sidesOf(tile: Tile, kind: "road" | "river"): readonly number[] {
  return [0, 1, 2, 3].filter((side) => {
    const link = tile.links[side];
    return kind === "road" ? link === "road" : link !== "road" && link !== "none";
  });
}
