/** A mail. @format email */
type Email = string;
interface User {
  /** The name. @minLength 4 */
  name: string;
  mail: Email;
  /** @minItems 2 @maxLength 9 */
  tags: string[];
  /** Where. @default [0, 0] */
  at: [number, number];
  /** @header X-Kind */
  kind: "a" | "b";
}
interface Labelled {
  /** @minItems 1 @maxLength 5 @default ["a"] */
  labels: Set<string>;
  /** @default {} */
  counts: Map<string, number>;
}
interface Wrap<T> {
  value: T;
}
type Changes<T> = { [K in keyof T]?: { from: T[K]; to: T[K] } };
/** @schema urn:example:schema.mapped-around.errors.1 */
type Errors<T> = { [K in keyof T]?: string };
type Nullable<T> = { [K in keyof T]: T[K] | null };
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
type Frozen<T> =
  T extends Set<infer V>
    ? ReadonlySet<Frozen<V>>
    : T extends Map<infer K, infer V>
      ? ReadonlyMap<K, Frozen<V>>
      : T extends object
        ? { readonly [K in keyof T]: Frozen<T[K]> }
        : T;
type Branded<T> = { [K in keyof T]: T[K] & { readonly brand?: true } };
type Split<T> = { [K in keyof T]: T[K] extends string ? { from: T[K]; to: T[K] } : T[K] };
type Get<T, K extends keyof T> = T[K];

/** @schema urn:example:schema.mapped-around.1 */
export interface Request {
  changes: Changes<User>;
  pairs: { [K in keyof User]: [User[K], string] };
  wraps: { [K in keyof User]: Wrap<User[K]> };
  records: { [K in keyof User]: Record<string, User[K]> };
  lists: { [K in keyof User]: User[K][] };
  sets: { [K in keyof User]: Set<User[K]> | null };
  cases: { [K in keyof Pick<User, "name" | "tags">]: User[K] | { error: string } };
  renamed: { [K in keyof User as `new_${K}`]: { value: User[K] } };
  split: Split<User>;
  deep: DeepReadonly<User>;
  frozen: Frozen<Labelled>;
  branded: Branded<Pick<User, "name">>;
  same: { [K in keyof User]: Get<User, K> };
  errors: Errors<User>;
  partial: Partial<Changes<User>>;
  nullable: Nullable<Errors<User>>;
  twice: Nullable<Nullable<User>>;
  oneChange: Changes<User>["name"];
  oneList: { [K in keyof User]: User[K][] }["tags"];
  oneNull: Nullable<User>["tags"];
}

/**
 * Takes mapped types around the members of another type.
 * @tool
 */
export function take(request: Request): Errors<User> {
  void request;
  return { mail: "is not an e-mail address" };
}
