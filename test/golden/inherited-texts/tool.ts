import type { Place } from "./base.ts";

interface Base {
  /** A number of pieces. @minimum 1 @example 3 */
  pieces: number;
}

/** @schema urn:test:inherited.1 */
export interface Request {
  /** {@inheritDoc Base.pieces} */
  count: number;
  /**
   * @inheritDoc Base.pieces
   */
  amount: number;
  /** Of another file. {@inheritDoc Place.longitude} */
  longitude: number;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
