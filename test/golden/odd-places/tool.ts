interface User {
  /** Where to write to. @format email @maxLength 30 */
  mail: string;
  /** In years. @minimum 0 @default 3 */
  age: number;
}
interface Member extends User {
  /** @inheritDoc */
  mail: string;
  /** {@inheritDoc User.age} @maximum 9 */
  age: number;
}
type Renamed<T> = { [K in keyof T as `its_${string & K}`]: T[K] };
enum Only {
  /** There is one. */
  one = 1,
}
class Account {
  readonly /** Who pays. @maxLength 18 */ owner!: string;
	/**
	 * Written with tabs,
	 *
	 * ```ts
	 * // @maxLength 1
	 * ```
	 *
	 * and a fence. `@minLength 9` is code, {@link User | a link} is text.
	 * @minLength 2
	 */
	code!: string;
}

/** @schema urn:example:schema.odd-places.1 */
export interface Request {
  member: Member;
  renamed: Renamed<User>;
  only: Only;
  account: Account;
  elements: Array</** An item. @maxLength 15 */ string>;
  values: Record<string, /** A value. @maxLength 16 */ string>;
}

/**
 * Takes comments in odd places.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
