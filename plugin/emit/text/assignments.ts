import type { FieldModel } from "../../model/type.ts";
import { memberText, stringText } from "./js-text.ts";
import { isInherited, readKey, type Scope } from "./scope.ts";

/** Statements that set the fields of `o` in order. Neighbouring fields that are only copied share one call. */
export function assignments(
  fields: readonly FieldModel[],
  scope: Scope,
  describe: (field: FieldModel) => { readonly value: string; readonly isThere?: string },
): string[] {
  const statements: string[] = [];
  let copied: string[] = [];
  const flush = (): void => {
    if (copied.length > 0) statements.push(`${scope.helper("copyKeys")}(o,v,${copied.map(stringText).join()})`);
    copied = [];
  };
  for (const field of fields) {
    const { value, isThere } = describe(field);
    if (isThere !== undefined && value === readKey("v", field.key, scope) && !isInherited(field.key)) {
      copied.push(field.key);
      continue;
    }
    flush();
    const assignment = setText(field.key, value, scope);
    statements.push(isThere === undefined ? assignment : `if(${isThere})${assignment}`);
  }
  flush();
  return statements;
}

/**
 * Makes the statement that sets a key of `o`. For `__proto__` it is not an assignment, which would set the prototype.
 */
export function setText(key: string, value: string, scope: Scope): string {
  return key === "__proto__" ? `${scope.helper("setKey")}(o,"__proto__",${value})` : `${memberText("o", key)}=${value}`;
}
