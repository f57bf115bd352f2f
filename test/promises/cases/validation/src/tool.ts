import { platformLambda, ValueError } from "tenon";

/** An order. */
export interface Order {
  /** Its number. @type uint32 */ number: number;
  /** Address of the customer. @format email */ email: string;
  /** A code. @pattern ^[A-Z]{3}-\d+$ */ code: string;
  /** Things that are ordered. @minItems 1 @uniqueItems */ items: string[];
  /** Number of pieces. @minimum 1 @maximum 10 */ count: number;
  /** Manner of delivery. */ by: "post" | "courier";
}

/** Takes an order.
 * @tool */
export function takeOrder(order: Order): string {
  return `${order.number} by ${order.by}`;
}

/** Refuses a number.
 * @tool
 * @param n The number. */
export function refuseNumber(n: number): number {
  throw new ValueError(`${n} is not wanted.`);
}

/** Gives a text that is too short for its type.
 * @tool */
export function brokenResult(): { /** A text. @minLength 3 */ text: string } {
  return { text: "x" };
}

/** Says how many keys came.
 * @tool
 * @param request The request. */
export function countKeys(request: { /** Known. */ known: string }): number {
  return Object.keys(request).length;
}

/** Adds one.
 * @param n A number. */
function addOne(n: number): number {
  return n + 1;
}
/** Adds one to a number, also in a text. */
export const coercedOne = platformLambda(addOne, { coerce: true });
