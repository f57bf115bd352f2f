import type { MangleOptions } from "terser";

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A boolean is sent, a pattern cannot be. */
  keep: Pick<MangleOptions, "keep_fnames">;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
