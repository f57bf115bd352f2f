/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. */
  data: Record<`data-${string}`, string>;
  /** B. */
  counts?: Record<number, number>;
  /** Fine. */
  labels: Record<string, string>;
  /** C. */
  kinds: { [key: `n-${string}`]: number; [key: `s-${string}`]: string };
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}

/** @schema urn:example:schema.data.1 */
export type Data = Record<`data-${string}`, string>;

/** Gives one, which is fine. @tool */
export function give(): Data {
  return {};
}
