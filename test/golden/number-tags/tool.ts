/** @schema urn:example:schema.number-tags.1 */
export interface Request {
  /** @minimum 0 @maximum 10 */
  score: number;
  /** @exclusiveMinimum 0 @exclusiveMaximum 1 */
  share: number;
  /** @type uint32 */
  count: number;
  /** @type {int32} */
  offset: number;
  /** @type integer @multipleOf 5 */
  step: number;
  /** @type float */
  ratio: number;
  /** @type double */
  precise: number;
  /** @minimum 1 @minItems 2 @maxItems 4 @uniqueItems */
  list: number[];
  /** @type uint64 */
  maybe?: number | null;
  /** @minimum -1e-3 */
  small: number;
}

/**
 * Takes number tags.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
