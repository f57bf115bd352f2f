/** @schema urn:example:schema.template-literals.1 */
export interface Request {
  id: `id-${number}`;
  any: `${string}/${string}`;
  color: `${"light" | "dark"}-${"red" | "blue"}`;
  big: `n${bigint}`;
  flag: `is-${boolean}`;
  upper: Uppercase<string>;
  capital: `x${Capitalize<string>}`;
  union: `a-${number}` | "none";
  odd: `a.b*c$${string}(`;
  whole: `${string}`;
  parts: `${string}@${string}.${string}`;
  long: `${string}--${string}->${string}`;
  ends: `${string}${number}`;
  version: `v${number}.${number}`;
  day: `${number}-${number}-${number}`;
}

/**
 * Takes template literals.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
