/** An order. */
export interface Order {
  /** Who pays. */
  account: {
    /** Its name. */
    name: string;
  };
  /** The goods. */
  goods: string[];
  /** A note. */
  note?: string;
}

/**
 * Pays an order.
 * @tool
 * @limit 1 per request.account
 */
export function pay(request: Order): string {
  return request.account.name;
}

/**
 * Packs goods.
 * @tool
 * @limit 2 per request.goods refuse
 */
export function pack(request: Order): string {
  return request.account.name;
}

/**
 * Notes.
 * @tool
 * @limit 1 per request.note
 */
export function note(request: Order): string {
  return request.account.name;
}

/**
 * Names.
 * @tool
 * @limit 1 per request.account.name replace
 */
export function name(request: Order): string {
  return request.account.name;
}

/**
 * Mails.
 * @tool
 * @rate 10/min per request.goods
 */
export function mail(request: Order): string {
  return request.account;
}
