/** @minimum 16 */
type Count = number;

interface Base {
  /** A number. @minimum 11 */
  n: number;
  /** Another. @minimum 12 */
  o?: number;
  /** A list. @minLength 13 @minItems 1 */
  l: string[];
  /** A pair. */
  t: [/** @minimum 14 */ number, string];
}

interface Other {
  x: Count;
  y?: Count;
  z: Count[];
}

interface Box<T> {
  value: T;
}

type Merge<X, Y> = { [K in keyof X | keyof Y]: K extends keyof Y ? Y[K] : K extends keyof X ? X[K] : never };
type Item<T> = T extends readonly (infer One)[] ? One : never;
type NumberOf<T> = T extends { n: infer One } ? One : never;
type First<T> = T extends [infer One, ...unknown[]] ? One : never;
type Resolved<T> = T extends Promise<infer One> ? One : T;
type Unboxed<T> = T extends Box<infer One> ? One : never;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type ItemOrAll<T> = T extends (infer One)[] ? One : T;
type NotNull<T> = T extends null ? never : T;
type Wrapped<T> = T extends string ? T[] : T;
type Callable<T> = { [K in keyof T]: T[K] extends string ? () => void : T[K] };
type Nullable<T> = { [K in keyof T]: T[K] | null };

/** @schema urn:test:parts.1 */
export interface Request {
  required: Required<Base>["o"];
  partial: Partial<Base>["n"];
  both: Partial<Required<Base>>["o"];
  picked: Pick<Base, "n">["n"];
  omitted: Omit<Base, "l">["n"];
  mutable: Mutable<Base>["n"];
  nullable: Nullable<Base>["n"];
  requiredAlias: Required<Other>["y"];
  items: Base["l"][number];
  itemsOfAliases: Other["z"][number];
  first: Base["t"][0];
  inferredItem: Item<Base["l"]>;
  inferredAlias: Item<Other["z"]>;
  inferredField: NumberOf<Base>;
  inferredFirst: First<Base["t"]>;
  resolved: Resolved<Promise<Count>>;
  unboxed: Unboxed<Box<Count>>;
  otherwise: ItemOrAll<Count>;
  otherwiseField: ItemOrAll<Base["n"]>;
  filtered: NotNull<Count | null>;
  filteredField: NotNull<Base["o"]>;
  notWrapped: Wrapped<Count>;
  conditionalField: Callable<Base>["n"];
  merged: Merge<Base, { q: Count }>;
  mergedField: Merge<Base, Other>["n"];
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
