interface User {
  /** The name. @minLength 1 */
  name: string;
  /** In years. @minimum 0 */
  age: number;
}
type Texts<T> = { [K in keyof T]: string };
type IsText<T> = T extends string ? "text" : "other";
type Inner<T> = T extends (infer I)[] ? I : never;
type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };
interface Tree {
  label: string;
  left: Tree;
}

/** @schema urn:example:schema.mapped-and-conditional.1 */
export interface Request {
  flags: { [K in keyof User]: boolean };
  getters: { [K in keyof User as `get_${K}`]: User[K] };
  texts: Texts<User>;
  deep: DeepPartial<Tree>;
  conditional: IsText<string>;
  other: IsText<number>;
  inferred: Inner<Date[]>;
  without: { [K in keyof User as Exclude<K, "age">]?: User[K] | null };
}

/**
 * Takes mapped and conditional.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
