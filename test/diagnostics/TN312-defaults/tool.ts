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
  /** G. @default 2026-02-30T00:00:00Z */
  g?: Date;
  /** H. @default 2026-01-01 00:00:00Z */
  h?: Date;
  /** I. @format email @default nobody */
  i?: string;
  /** J. @type int64 @default 9007199254740993 */
  j?: number;
  /** K. In double precision, 0.29 / 0.01 is not an integer. @multipleOf 0.01 @default 0.29 */
  k?: number;
  /** L. Has spaces in its path. @default http://a.de/b c */
  l?: URL;
  /** M. @multipleOf 0.25 @default 0.75 */
  m?: number;
  /** N. @format email @example somebody @example a@example.com */
  n?: string;
}

/** Takes. @tool */
export function take(request: Request): void {
  void request;
}

/** Destructures. @tool */
export function destructures({ d = 9 }: Request): void {
  void d;
}
