/** @schema urn:example:schema.sets-and-maps.1 */
export interface Request {
  words: Set<string>;
  frozen: ReadonlySet<Date>;
  scores: Map<string, number>;
  readonly: ReadonlyMap<string, Set<Date>>;
  /** @minItems 1 @minLength 2 */
  some: Set<string>;
  objects: Map<string, { when: Date }>;
  setOrText: Set<number> | string;
}

/**
 * Takes sets and maps.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
