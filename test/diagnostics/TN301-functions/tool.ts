/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A callback. */
  when: () => void;
  /** A method. */
  run(): void;
  /** A list of them. */
  all: ((a: number) => string)[];
  /** A constructor. */
  make: new () => Date;
  /** Any function. */
  any: Function;
  /** A class. */
  type: typeof Date;
  /** Optional. */
  maybe?: () => void;
  /** Hidden. @internal */
  hidden: () => void;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
