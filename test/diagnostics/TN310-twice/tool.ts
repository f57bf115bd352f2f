/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Two formats. @format email @format uri */
  a: string;
  /** Two defaults. @default 1 @defaultValue 2 */
  b?: number;
  /** The same twice. @format email @format email */
  c: string;
  /** Both hold. @minimum 1 @minimum 2 @maximum 9 */
  d: number;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
