interface Zoned {
  tz: string;
}
interface Counted extends Array<string> {
  total: number;
}
type Unit = "minute" | "hour";

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. */
  at: Date & Zoned;
  /** B. */
  link?: URL & { title?: string; weight: number };
  /** C. */
  raw: Uint8Array & { [key: string]: unknown };
  /** D. */
  byName: Map<string, number> & { unit: Unit };
  /** E. */
  unique: Set<string> & { _id: string };
  /** F. */
  list: (string[] & { total: number })[];
  /** G. */
  counted: Counted;
  /** H. */
  name: string & { language: string };
  /** I. */
  count: number & { format(): string };
  /** J. */
  flag: boolean & { since: Date };
  /** K: no other member takes a number or a unit. */
  size: string | (number & { unit: Unit | string });
  /** Fine: a brand. */
  day: Date & { readonly brand: "day" };
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
