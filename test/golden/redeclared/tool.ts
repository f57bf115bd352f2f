interface Root {
  /** Of the root. @pattern ^[a-z]+$ @maxLength 50 */
  name: string;
}
interface Base extends Root {
  /** Of the base. @minLength 3 @maxLength 30 */
  name: string;
}
interface Other {
  /** Of another base. @format hostname */
  name: string;
}
interface WithoutText extends Base {
  name: string;
}
/** Its own tags win, and those of the bases apply. */
interface WithText extends Base, Other {
  /** Its own. @maxLength 10 */
  name: string;
}
class Account {
  /** Who pays. @minLength 4 */
  owner: string = "nobody";
}
class Narrower extends Account {
  /** Who pays here. @maxLength 8 */
  override owner: string = "somebody";
}
/** Two parts that describe one field. */
type Both = {
  /** One. @minLength 5 */
  field: string;
} & {
  /** Two. @maxLength 50 */
  field: string;
};

/** @schema urn:example:schema.redeclared.1 */
export interface Request {
  plain: WithoutText;
  own: WithText;
  account: Narrower;
  both: Both;
}

/**
 * Takes fields that are declared more than once.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
