import { setKey } from "./codecs.ts";
import { mergeParts } from "./members.ts";

type Test = (value: unknown) => boolean;
type Convert = (value: unknown) => unknown;

/**
 * Validates the own keys of an object against patterns: a value must be legal for each pattern that matches its key,
 * and for `isLegal` when no pattern matches and the key is not declared.
 */
export function everyMatch(
  value: Record<string, unknown>,
  rules: readonly (readonly [pattern: RegExp, isLegal: Test])[],
  declared?: ReadonlySet<string>,
  isLegal?: Test,
): boolean {
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    let isKnown = isLegal === undefined || declared?.has(key) === true;
    for (const [pattern, isLegalHere] of rules) {
      if (!pattern.test(key)) continue;
      if (!isLegalHere(value[key])) return false;
      isKnown = true;
    }
    if (!isKnown && isLegal?.(value[key]) === false) return false;
  }
  return true;
}

/**
 * Copies the undeclared own keys that a pattern matches. The last rule may have no pattern: it applies to keys that no
 * pattern matches. Values that are `undefined` are left out.
 */
export function copyMatches(
  target: object,
  value: object,
  declared: ReadonlySet<string> | undefined,
  rules: readonly (readonly [pattern: RegExp | undefined, convert?: Convert])[],
): void {
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined || declared?.has(key)) continue;
    let parts: unknown[] | undefined;
    let part: unknown;
    let count = 0;
    for (const [pattern, convert] of rules) {
      if (pattern === undefined ? count > 0 : !pattern.test(key)) continue;
      if (count === 1) parts = [part];
      part = convert === undefined ? item : convert(item);
      parts?.push(part);
      count++;
    }
    // Several patterns may match one key. Each conversion copies only the fields that its type declares, so the results
    // are merged.
    if (count > 0) setKey(target, key, parts === undefined ? part : (mergeParts(parts) ?? parts[0]));
  }
}
