import type { tags } from "typia";

type Percent = number & tags.Minimum<0> & tags.Maximum<100>;

/** @schema urn:example:schema.typia-tags.1 */
export interface Request {
  score: number & tags.Minimum<0> & tags.Maximum<10>;
  count: number & tags.Type<"uint32">;
  either: number & (tags.Type<"int32"> | tags.Type<"uint32">);
  name: string & tags.MinLength<1> & tags.MaxLength<20> & tags.Pattern<"^[a-z]+$">;
  mail: string & tags.Format<"email">;
  list: (string & tags.MinLength<2>)[] & tags.MinItems<1> & tags.UniqueItems;
  maybe?: (number & tags.MultipleOf<5>) | null;
  retries?: number & tags.Default<3>;
  shared: Percent;
  /** @maximum 50 */
  both: number & tags.Minimum<10>;
}

/**
 * Takes typia tags.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
