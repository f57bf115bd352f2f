type UserId = string & { readonly __brand: "user" };
declare const order: unique symbol;
type OrderId = string & { readonly [order]: true };
type Positive = number & { __brand: "positive" };
interface User {
  name: string;
}
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;

/** @schema urn:example:schema.brands.1 */
export interface Request {
  id: UserId;
  symbol: OrderId;
  count: Positive;
  list: UserId[];
  date: Date & { readonly __brand: "day" };
  object: User & { readonly __brand: "checked" };
  maybe?: UserId | null;
  keyed: Map<UserId, number>;
  mapped: DeepPartial<{ id: UserId; count: Positive; tag: string }>;
}

/**
 * Takes brands.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
