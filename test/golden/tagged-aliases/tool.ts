import type { Address } from "./address.ts";
import type * as shapes from "./address.ts";

/** An address for mail. @format email @maxLength 20 @example a@example.org */
type Email = string;
/** The one who pays. @maxLength 10 */
type Payer = Email;
/** @minimum 1 @maximum 5 @default 3 */
type Stars = number;
/** Up to three. @maxItems 3 */
type Emails = Email[];
/** How fast. @title Speed */
type Mode = "fast" | "slow";
/** @pattern ^\+ */
type Phone = string;
type Maybe<T> = T | null;
type Many<T> = T | T[];
/** @maxLength 7 */
type Texts = string | Texts[];

/** A value with its source. */
interface Box<T> {
  /** The value. */
  value: T;
  all: T[];
}
interface Crate<T> extends Box<T> {
  label?: Phone;
}
type Pair<T, U = Phone> = { first: T; second: U };
interface User {
  /** Where to write to. @minLength 6 */
  email: Email;
  name: string;
}
/** A colour. */
enum Colour {
  red = "red",
  blue = "blue",
}
class Account {
  owner: Email = "a@example.org";
  constructor(public backup: Email) {}
}

/** @schema urn:example:schema.tagged-aliases.1 */
export interface Request {
  field: Email;
  /** With a text and tags of its own. @maxLength 40 @example b@example.org */
  own: Email;
  aliasOfAlias: Payer;
  optional?: Email;
  orNull: Email | null;
  orUndefined: Email | undefined;
  stars: Stars;
  list: Email[];
  readOnly: readonly Email[];
  generic: Array<Email>;
  named: Emails;
  /** Limits what is in it. @maxLength 4 */
  ownOfItems: Emails;
  record: Record<string, Email>;
  index: { [key: string]: Email };
  map: Map<string, Email>;
  set: Set<Email>;
  tuple: [Email, Stars?, ...Phone[]];
  union: Email | Phone;
  mixed: Email | Stars | Mode;
  literal: Phone | "none";
  mode: Mode;
  modeOrNull: Mode | null;
  inline: { email: Email };
  boxed: Box<Email>;
  boxedPhone: Box<Phone>;
  boxedPlain: Box<string>;
  boxedList: Box<Email[]>;
  crate: Crate<Email>;
  pair: Pair<Email>;
  maybe: Maybe<Email>;
  many: Many<Email>;
  partial: Partial<User>;
  picked: Pick<User, "email">;
  omitted: Omit<User, "name">;
  partialBox: Partial<Box<Email>>;
  keyed: Record<"a" | "b", Email>;
  mapped: { [K in "x"]: Email };
  nullable: { [K in keyof User]: User[K] | null };
  indexed: User["email"];
  intersection: { a: Email } & { b: Phone };
  branded: Email & { readonly __brand: "email" };
  notNull: NonNullable<Email | null>;
  excluded: Exclude<Email | number, number>;
  recursive: Texts;
  colour: Colour;
  account: Account;
  address: Address;
  zip: shapes.Zip;
  imported: import("./address.ts").Zip;
  commented: /** @minLength 2 */ string;
  commentedItems: (/** @minLength 2 */ string)[];
  labelled: [/** How many. @minimum 1 */ count: number, /** @minLength 3 */ string];
}

/**
 * Takes types with tags.
 * @tool
 */
export function take(request: Request): Email {
  return request.field;
}

/**
 * Takes it by position.
 * @param email - Where to write to. @maxLength 15
 * @param others - The others.
 * @tool
 */
export function write(email: Email, ...others: Email[]): Email[] {
  return [email, ...others];
}
