interface Area {
  unit?: "m" | "km";
  /** @default 2 */
  digits?: number;
  centre?: { x?: number; y?: number };
}

/** @schema urn:example:schema.destructured-nested.1 */
export interface Request {
  area?: Area;
  second: Area;
  count?: bigint;
  debt?: bigint;
  hex?: bigint;
  limits?: { most?: bigint; since?: Date; at?: Date };
  pair?: [number, number];
  either?: { a?: number } | { b?: string };
}

const unit = "km";

/** Has defaults inside defaults. @tool */
export function take({
  area: { unit: inUnit = unit, digits = 3, centre: { x = 0, ...others } = {} } = {},
  count = 3n,
  debt = -12n,
  hex = 0xffn,
  limits: { most = 1_000n, since = new Date(), at } = { most: 10n },
  pair: [first = 1, second] = [1, 2],
  either = { a: 1 },
  ...rest
}: Request): string {
  return String([inUnit, digits, x, others, count, debt, hex, most, since, at, first, second, either, rest]);
}
