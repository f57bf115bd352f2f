import type { tags } from "typia";

/** @minimum 100 */
type Large = bigint;

/** @schema urn:example:schema.bigint-bounds.1 */
export interface Request {
  atLeast: bigint & tags.Minimum<10n>;
  below: bigint & tags.ExclusiveMaximum<18446744073709551615n>;
  unsigned: bigint & tags.Type<"uint64">;
  signed: bigint & tags.Type<"int64">;
  /** @minimum -12 @maximum 1005 */
  range: bigint;
  /** @exclusiveMinimum -1 @default 5 */
  either: bigint | null;
  large: Large;
  preset?: bigint & tags.Default<7n>;
}

/**
 * Takes bigints within bounds.
 * @tool
 */
export function take(request: Request): bigint {
  return request.range;
}
