import type { NumberType } from "./type.ts";

const integerBounds = {
  integer: [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  // Bounds of an integer in JSON: beyond 2^53 a JSON number does not identify an integer. Larger integers need
  // `bigint`.
  int64: [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint64: [0, Number.MAX_SAFE_INTEGER],
} as const;
const largestFloat = 3.4028234663852886e38;

/** Returns the inclusive bounds of a number: the narrower of the author's bounds and those of the type. */
export function numberBounds(type: NumberType): { readonly minimum?: number; readonly maximum?: number } {
  const [low, high] =
    type.integer === undefined
      ? type.float === true
        ? [-largestFloat, largestFloat]
        : []
      : integerBounds[type.integer];
  const minimum = low === undefined ? type.minimum : Math.max(low, type.minimum ?? low);
  const maximum = high === undefined ? type.maximum : Math.min(high, type.maximum ?? high);
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}
