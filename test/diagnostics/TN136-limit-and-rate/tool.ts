/** An order. */
export interface Order {
  $schema: "urn:example:schema.order.1";
  /** Who pays. */
  account: string;
}

/**
 * Counts all jobs, and those of each account.
 * @tool
 * @limit 4
 * @rate 10/min per request.account
 */
export function pay(request: Order): string {
  return request.account;
}

/**
 * Counts by two keys.
 * @tool
 * @limit 4 per caller
 * @rate 10/min per request.account
 */
export function ship(request: Order): string {
  return request.account;
}

/**
 * Waits for one, and is refused by the other.
 * @tool
 * @limit 4 per request.account
 * @rate 10/min per request.account refuse
 */
export function sell(request: Order): string {
  return request.account;
}

/**
 * Replaces, and waits.
 * @tool
 * @limit 1 per request.account replace
 * @rate 10/min per request.account
 */
export function buy(request: Order): string {
  return request.account;
}

/**
 * Waits for other requests, by another key.
 * @tool
 * @limit 1 per caller
 * @debounce 5s per request.account
 */
export function index(request: Order): string {
  return request.account;
}

/**
 * Waits for other requests, and is refused then.
 * @tool
 * @rate 1/min per request.account refuse
 * @debounce 5s per request.account
 */
export function sync(request: Order): string {
  return request.account;
}
