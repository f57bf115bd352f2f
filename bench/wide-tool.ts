/**
 * The text of a tool whose types are all its own: ten fields, two of them objects that are nested, and lists of such.
 */
export function wideToolText(index: number): string {
  return `/** One line of an order. */
export interface Line${index} {
  /** Number of the article. @pattern ^[A-Z]{2}-[0-9]{4}$ */
  article: string;
  /** How many. @type uint32 @minimum 1 */
  count: number;
  /** Price of one, in cents. @type uint32 */
  price: number;
  /** Words for the packer. @maxLength 200 */
  note?: string;
}

/** Where an order goes. */
export interface Address${index} {
  /** Street and number. @minLength 1 @maxLength 100 */
  street: string;
  /** Postal code. @pattern ^[0-9]{5}$ */
  code: string;
  /** Town. @minLength 1 */
  town: string;
  /** Two letters. @minLength 2 @maxLength 2 @default "DE" */
  country?: string;
}

/** Who orders. */
export interface Customer${index} {
  /** Number of the customer. @type uint32 */
  id: number;
  /** As on the invoice. @minLength 1 @maxLength 200 */
  name: string;
  /** For questions. @format email */
  mail: string;
  /** Where the invoice goes. */
  address: Address${index};
}

/** @schema urn:bench:schema.tool-${index}.request.1 */
export interface Tool${index}Request {
  /** Number of the order. @type uint32 */
  id: number;
  /** Who orders. */
  customer: Customer${index};
  /** Where it goes; default: to the customer. */
  delivery?: Address${index};
  /** All lines. @minItems 1 @maxItems 100 */
  lines: Line${index}[];
  /** Other addresses that were tried. */
  tried?: Address${index}[];
  /** When it was made. */
  made: Date;
  /** How urgent it is. @default "normal" */
  urgency?: "low" | "normal" | "high";
  /** Rebate in percent. @minimum 0 @maximum 100 */
  rebate?: number;
  /** Words that describe it. @maxItems 20 @uniqueItems */
  labels: string[];
  /** Where it came from. @format uri */
  source?: string;
}

/** @schema urn:bench:schema.tool-${index}.1 */
export interface Tool${index}Result {
  /** Sum in cents. */
  sum: number;
  /** The lines as they were understood. */
  lines: Line${index}[];
  /** Where it goes. */
  address: Address${index};
}

/**
 * Looks for the sum of order ${index}.
 * @tool
 * @readonly
 */
export function tool${index}({ customer, delivery, lines, rebate = 0 }: Tool${index}Request): Tool${index}Result {
  let sum = 0;
  for (const { count, price } of lines) sum += count * price;
  return { sum: Math.round(sum * (1 - rebate / 100)) + ${index}, lines, address: delivery ?? customer.address };
}
`;
}
