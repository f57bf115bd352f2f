/** Adds. @tol */
export function add(): void {}

/** Adds. @Tool */
export const plus = (): void => {};

/** Looks. @tool @readOnly @titel Look */
export function look(): void {}

/** @schema urn:example:schema.misspelt.1 */
export interface Request {
  /** The name. @minlength 1 */
  name: string;
  /**
   * The size.
   * @minimun 1
   * @author someone
   * @unheardOf x
   */
  size: number;
}

/** Takes. @tool */
export function take(request: Request): void {
  void request;
}
