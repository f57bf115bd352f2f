interface Address {
  street: string;
  /** A text of its own, which stands. */
  city: string;
}

/** @schema urn:example:schema.param-texts.1 */
export interface Request {
  name: string;
  home: Address;
  work: Address;
  tags: { label: string }[];
  size?: number;
}

/**
 * Takes a request.
 * @param request - Who moves.
 * @param request.name The name. @maxLength 20 @example "Ada"
 * @param request.home.street - The street.
 * @param {string} request.home.city This is not used.
 * @param request.tags[].label What is on the box.
 * @param [request.size=3] How many. @minimum 1
 * @returns How many boxes.
 * @tool
 */
export function take(request: Request): number {
  return request.tags.length;
}

/**
 * Takes it apart.
 * @param options - Who moves.
 * @param options.work.street The street.
 * @param name The name.
 * @param count How many.
 * @tool
 */
export function takeApart({ name, size: count = 2 }: Request): void {
  void [name, count];
}

/**
 * Takes it by position.
 * @param address Where to.
 * @param address.street The street. @minLength 2
 * @param count How many.
 * @tool
 */
export function takeBoth(address: Address, count: number): void {
  void [address, count];
}

/** A point. */
class Point {
  /**
   * Makes a point.
   * @param x - To the right. @minimum 1
   * @param y - Up.
   */
  constructor(
    public x: number,
    /** Up, and this stands. @maximum 3 */ readonly y: number,
  ) {}
}

/**
 * A box.
 * @property {number} width How wide. @minimum 1
 * @property height - How high.
 */
interface Box {
  width: number;
  height: number;
}
/** A bag. @prop weight How heavy. */
type Bag = { weight: number };

/** Takes classes. @tool */
export function takeClasses(point: Point, box: Box, bag: Bag): void {
  void [point, box, bag];
}

/** @schema urn:example:schema.param-texts.where.1 */
interface Where {
  street: string;
}

/**
 * Finds where it is.
 * @param where - Whom to find.
 * @returns The place of it.
 * @tool
 */
export function find(where: Where): Where {
  return where;
}

/** A place with a text. @schema urn:example:schema.param-texts.place.1 */
interface Place {
  street: string;
}

/**
 * Finds a place, whose own text stands.
 * @param where - Whom to find.
 * @returns The place of it.
 * @tool
 */
export function findPlace(where: Place): Place {
  return where;
}
