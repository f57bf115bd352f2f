/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A name. */
  name: string;
}

/**
 * Takes a request.
 * @param request.nam The name.
 * @param request.name.first The name.
 * @param other.name The name.
 * @tool
 */
export function take(request: Request): void {
  void request;
}

/**
 * Takes it apart.
 * @param options The options.
 * @param options.nam The name.
 * @param name A name.
 * @param third A third.
 * @tool
 */
export function takeApart({ name }: Request): void {
  void name;
}
