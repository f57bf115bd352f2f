import type { Colour } from "./palette.ts";

/** A small picture, one letter per pixel; the foot is the pixel that stands on the ground. */
export interface Sprite {
  readonly rows: readonly string[];
  readonly foot: readonly [x: number, y: number];
}

/** Pictures to choose from. */
export type Sprites = readonly [Sprite, ...Sprite[]];

export const key: Readonly<Record<string, Colour>> = {
  a: "shadow",
  d: "leafDark",
  l: "leaf",
  g: "leafLight",
  y: "leafGlow",
  t: "trunk",
  n: "pineDark",
  p: "pine",
  q: "pineLight",
  k: "rockDark",
  r: "rock",
  o: "rockLight",
  s: "snow",
  z: "snowShade",
  R: "roof",
  D: "roofDark",
  S: "slate",
  T: "slateDark",
  W: "wall",
  V: "wallShade",
  w: "window",
  H: "hull",
  L: "sail",
  F: "foam",
  c: "wheat",
  e: "wheatDark",
  u: "thicket",
  f: "flower",
  i: "poppy",
  b: "blossom",
};

export const trees: Sprites = [
  { rows: [".gy..", "glgg.", "glllg", "dllld", ".dtda"], foot: [2, 4] },
  { rows: ["..gy..", ".gggg.", "glglgl", "dlllll", ".ddld.", "..ttaa"], foot: [2, 5] },
  { rows: [".gy.", "glgg", "dlld", ".tda"], foot: [1, 3] },
];

export const pines: Sprites = [
  { rows: ["..q..", "..p..", ".qpp.", ".ppn.", "qpppn", "..ta."], foot: [2, 5] },
  { rows: [".q.", ".p.", "qpn", "ppn", ".ta"], foot: [1, 4] },
];

export const peaks: Sprites = [
  {
    rows: [
      "......s.......",
      ".....ssz......",
      "....sssz......",
      "....sszzk.....",
      "...ssoszkk....",
      "...osorrkk....",
      "..ooorrrkkk...",
      "..oororrkkkk..",
      ".ooorrrrrkkk..",
      ".oororrrkkkkk.",
      "ooorrrrrrkkkkk",
      "oororrrrkkkkkk",
    ],
    foot: [7, 11],
  },
  {
    rows: [
      ".....s.....",
      "....ssz....",
      "....sszk...",
      "...sosrzk..",
      "...oorrkk..",
      "..oorrrkkk.",
      "..ororrkkk.",
      ".oorrrrkkkk",
      "ooorrrrkkkk",
    ],
    foot: [5, 8],
  },
];

export const boulders: Sprites = [
  { rows: ["..o...", ".oork.", ".orrk.", "oorrkk", "orrrkk"], foot: [3, 4] },
  { rows: [".oo.", "orrk", "rrkk"], foot: [2, 2] },
];

export const cottages: Sprites = [
  { rows: ["..RRRRR.", ".RRRRRRD", "RRRRRRDD", "WWWWWWVV", "WwWWwWVV", "WWWtWWVa"], foot: [3, 5] },
  { rows: [".SSSSS.", "SSSSSST", "WWWWWVV", "WwWtWVa"], foot: [3, 3] },
];

const church: Sprite = {
  rows: [
    "..T.......",
    ".STT......",
    ".STT......",
    ".WVV.RRRR.",
    ".WwVRRRRRD",
    ".WVVRRRRDD",
    ".WVVWWWWVV",
    ".WtVWwWwVa",
  ],
  foot: [4, 7],
};

export const houses: Sprites = [church, ...cottages];

export const boats: Sprites = [
  { rows: ["...L..", "..LL..", ".LLLt.", "...Ht.", "HHHHHH", ".HHHH.", "F....F"], foot: [3, 5] },
  { rows: ["..L..", ".LL..", "..H..", "HHHHH", ".HHH."], foot: [2, 4] },
];

export const fields: Sprites = [
  {
    rows: [
      ".aaaaaaaaaa.",
      "acccceecccca",
      "aeccccceecca",
      "acceecccccea",
      "aeeeeeeeeeea",
      "acccceecccca",
      "acecccccecca",
      "aeeeeeeeeeea",
      "accceeccccca",
      ".aaaaaaaaaa.",
    ],
    foot: [6, 9],
  },
  {
    rows: [
      ".aaaaaaaaaa.",
      "augugygugyga",
      "augugygugyga",
      "auguyggugyga",
      "augugyguygga",
      "augugygugyga",
      "auyugygugyga",
      "augugygugyga",
      "augugyyugyga",
      ".aaaaaaaaaa.",
    ],
    foot: [6, 9],
  },
  {
    // An orchard.
    rows: [
      "............",
      ".gy..gy..gy.",
      "dlgadlgadlga",
      ".da..da..da.",
      "............",
      ".gy..gy..gy.",
      "dlgadlgadlga",
      ".da..da..da.",
    ],
    foot: [6, 8],
  },
];

export const tufts: Sprites = [
  { rows: ["f.f", ".f."], foot: [1, 1] },
  { rows: ["i..", ".i."], foot: [1, 1] },
  { rows: ["a.a", ".a."], foot: [1, 1] },
  { rows: ["a.", ".a"], foot: [1, 1] },
  { rows: [".b.", "b.b"], foot: [1, 1] },
];
