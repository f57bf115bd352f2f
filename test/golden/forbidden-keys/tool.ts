type ById = { id: string; name?: never };
type ByName = { name: string; id?: undefined };
/** As type-fest writes it. */
type RequireExactlyOne<T, K extends keyof T = keyof T> = {
  [Key in K]: Required<Pick<T, Key>> & Partial<Record<Exclude<K, Key>, never>>;
}[K] &
  Omit<T, K>;
interface Place {
  address: string;
  geo: number;
  at: Date;
}
interface Text {
  S: string;
  N?: never;
  M?: never;
}
interface Amount {
  S?: never;
  N: string;
  M?: never;
}
interface Nested {
  S?: never;
  N?: never;
  M: Record<string, AttributeValue>;
}
type AttributeValue = Text | Amount | Nested;

/** @schema urn:example:schema.forbidden-keys.1 */
export interface Request {
  who: ById | ByName;
  place: RequireExactlyOne<Place, "address" | "geo">;
  attribute: AttributeValue;
  nothing: Record<string, never>;
  plain: { a: string; b?: never };
}

/**
 * Takes keys that exclude one another.
 * @tool
 */
export function take(request: Request): ById | ByName {
  return request.who;
}
