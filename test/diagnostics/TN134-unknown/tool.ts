/** An order. */
export interface Order {
  /** Who pays. */
  account: string;
  /** The ship. */
  ship: {
    /** Its port. */
    port: string;
  };
}

/**
 * Pays an order.
 * @tool
 * @limit 1 per request.acount
 */
export function pay(request: Order): string {
  return request.account;
}

/**
 * Ships an order.
 * @tool
 * @limit 1 per request.ship.prt
 */
export function ship(request: Order): string {
  return request.account;
}

/**
 * Sells.
 * @tool
 * @limit 1 per request.buyer
 */
export function sell(request: Order): string {
  return request.account;
}

/**
 * Buys.
 * @tool
 * @limit 1 per account
 */
export function buy(request: Order): string {
  return request.account;
}

/**
 * Counts.
 * @tool
 * @limit 1 per calller.client
 */
export function count(request: Order): string {
  return request.account;
}

/**
 * Sweeps.
 * @tool
 * @limit 1 per request.account
 */
export function sweep(): void {}

/**
 * Mails.
 * @tool
 * @rate 10/min per request.acount
 */
export function mail(request: Order): string {
  return request.account;
}

/**
 * Indexes.
 * @tool
 * @debounce 5s per request.acount max 1m
 */
export function index(request: Order): string {
  return request.account;
}

/**
 * Loads a ship, sooner in a port whose field it names wrongly.
 * @tool
 * @priority 1m when request.ship.prot "Basel"
 */
export function load(request: Order): string {
  return request.account;
}

/**
 * Loads a ship, sooner for a caller.
 * @tool
 * @priority 1m when caller "anna"
 */
export function loadFor(request: Order): string {
  return request.account;
}

/**
 * Turns, sooner for a call that has no data.
 * @tool
 * @priority 1m when request.soon
 */
export function turn(): number {
  return 1;
}
