import { memberText, stringText } from "./js-text.ts";
import { isInherited } from "./scope.ts";
import type { Scope } from "./scope.ts";

/** Makes the expression that reads a key of an object. A name that all objects inherit counts only as an own key. */
export function readKey(object: string, key: string, scope: Scope): string {
  return isInherited(key) ? `${scope.helper("own")}(${object},${stringText(key)})` : memberText(object, key);
}
