/** A payment. @schema urn:example:schema.payment.1 */
export interface Payment {
  /** Who pays. */
  account: string;
  /** Number of the branch. */
  branch: number;
}

/**
 * Pays, one after the other for each account.
 * @tool
 * @limit 1 per request.account
 */
export function pay(request: Payment): string {
  return request.account;
}

/**
 * Mails a branch, with a pause between two mails.
 * @tool
 * @rate 100/h per request.branch
 */
export function mail(request: Payment): number {
  return request.branch;
}

/**
 * Asks a bank that takes four calls at a time, and ten in a second.
 * @tool
 * @limit 4 per caller refuse
 * @rate 10/s per caller burst 20 refuse
 */
export function ask(): number {
  return 1;
}

/**
 * Writes the index of a branch, once no other payment has come.
 * @tool
 * @debounce 5s per request.branch max 1m
 */
export function index(request: Payment): number {
  return request.branch;
}

/** A plan of a customer. */
export type Plan = "free" | "enterprise";

/** A statement. @schema urn:example:schema.statement.1 */
export interface Statement {
  /** Who gets it. */
  customer: {
    /** What the customer pays for. */
    plan?: Plan;
  };
  /** True if somebody waits for it. */
  urgent?: boolean;
  /** Importance. */
  level: number;
}

/**
 * Makes a statement, sooner for some customers.
 * @tool
 * @priority 30s when request.urgent
 * @priority 5m when request.customer.plan "enterprise"
 * @priority 1 hour when request.level 3
 */
export function state(request: Statement): string {
  return `${request.level}`;
}

/**
 * Draws a statement, two at a time.
 * @tool
 * @limit 2
 * @priority 1m when request.urgent false
 */
export function draw(request: Statement): string {
  return `${request.level}`;
}
