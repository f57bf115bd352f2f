/** @schema urn:example:schema.defaults.1 */
export interface Request {
  /** A. @default abc */
  a?: number;
  /** B. @default slow */
  b?: "fast" | "exact";
  /** C. @default 2024-01-01 */
  c?: Date;
  /** D. @default 7 @maximum 5 */
  d?: number;
  /** E. @example [1, "2"] */
  e: number[];
  /** F. @default */
  f?: boolean;
}

/** Takes. @tool */
export function take(request: Request): void {
  void request;
}

/** Destructures. @tool */
export function destructures({ d = 9 }: Request): void {
  void d;
}
