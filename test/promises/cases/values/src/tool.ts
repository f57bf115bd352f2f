/** Values that JSON does not have. */
export interface Values {
  /** A moment. */ at: Date;
  /** A large number. */ big: bigint;
  /** Bytes. */ bytes: Uint8Array;
  /** An address. */ link: URL;
  /** Names, once each. */ names: Set<string>;
  /** Numbers by name. */ counts: Map<string, number>;
}

/** Gives back what it gets, changed by the methods of its classes.
 * @tool */
export function changeValues(request: Values): Values {
  const { at, big, bytes, link, names, counts } = request;
  return {
    at: new Date(at.getTime() + 1000),
    big: big + 1n,
    bytes: bytes.toReversed(),
    link: new URL("/b", link),
    names: new Set([...names].toSorted()),
    counts: new Map([...counts].map(([name, count]) => [name, count + 1])),
  };
}

/** A tree of any depth. */
export interface Tree {
  /** Its name. */ name: string;
  /** Its branches. */ branches?: Tree[];
}

/** Counts a tree.
 * @tool */
export function countTree(tree: Tree): number {
  return 1 + (tree.branches ?? []).reduce((sum, branch) => sum + countTree(branch), 0);
}

/** Gives back what may be missing.
 * @tool
 * @param text May be null.
 * @param more May be missing.
 * @param rest Has a default. @default "given" */
export function missingValues(
  text: string | null,
  more?: number,
  rest: string = "given",
): [string | null, number | null, string] {
  return [text, more ?? null, rest];
}

/** A circle or a square. */
export type Shape =
  | { /** Its kind. */ kind: "circle"; /** Its radius. */ radius: number }
  | { /** Its kind. */ kind: "square"; /** Its side. */ side: number };

/** Measures a shape.
 * @tool */
export function areaOf({ shape }: { /** The shape. */ shape: Shape }): number {
  return shape.kind === "circle" ? 3 * shape.radius ** 2 : shape.side ** 2;
}
