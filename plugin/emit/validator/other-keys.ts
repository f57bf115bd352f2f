import type { ObjectType, TypeModel } from "../../model/type.ts";
import { stringText } from "../text/js-text.ts";
import { patternName } from "./scalar-check.ts";
import type { Scope } from "../text/scope.ts";
import { declaredNames, keyPatterns } from "../facts/type-facts.ts";

/** Creates tests for the values of keys. */
export interface Tests {
  /** Returns the name of a validator; `undefined` when every value is legal. */
  readonly validator: (type: TypeModel) => string | undefined;
  readonly test: (type: TypeModel) => string;
}

/** Makes tests of the undeclared keys of `v` by the index signatures of its type. */
export function otherKeysCheck(type: ObjectType, tests: Tests, scope: Scope): readonly string[] {
  const patterns = keyPatterns(type);
  const rest = type.index === undefined ? undefined : tests.validator(type.index);
  const others = rest === undefined ? "" : `,${declaredKeys(type, scope)},${rest}`;
  if (patterns.length === 0) return rest === undefined ? [] : [`${scope.helper("everyOther")}(v${others})`];
  if (rest === undefined && patterns.every((entry) => tests.validator(entry.type) === undefined)) return [];
  const rules = patterns.map((entry) => `[${patternName(entry.pattern, scope)},${tests.test(entry.type)}]`);
  return [`${scope.helper("everyMatch")}(v,${listName(rules, `rulesOf${scope.nameOf(type)}`, scope)}${others})`];
}

/** Statements that copy the undeclared keys of `v` to `o`; `convert` names the conversion of a type. */
export function otherKeysText(
  type: ObjectType,
  convert: (type: TypeModel) => string | undefined,
  scope: Scope,
): readonly string[] {
  const { index } = type;
  const patterns = keyPatterns(type);
  const conversion = (part: TypeModel): string => {
    const name = convert(part);
    return name === undefined ? "" : `,${name}`;
  };
  if (patterns.length === 0) {
    return index === undefined
      ? []
      : [`${scope.helper("copyOthers")}(o,v,${declaredKeys(type, scope)}${conversion(index)})`];
  }
  const rules = patterns.map((entry) => `[${patternName(entry.pattern, scope)}${conversion(entry.type)}]`);
  if (index !== undefined) rules.push(`[void 0${conversion(index)}]`);
  const declared = index === undefined ? "void 0" : declaredKeys(type, scope);
  return [`${scope.helper("copyMatches")}(o,v,${declared},${listName(rules, `rulesOf${scope.nameOf(type)}`, scope)})`];
}

function listName(items: readonly string[], base: string, scope: Scope): string {
  const list = `[${items.join()}]`;
  return scope.constant(`list:${list}`, base, () => list);
}

/** Returns the name of the set of an object's declared keys; `void 0` when there are none. */
function declaredKeys(type: ObjectType, scope: Scope): string {
  const keys = declaredNames(type);
  if (keys.length === 0) return "void 0";
  return scope.constant(
    `keys:${JSON.stringify(keys)}`,
    `keysOf${scope.nameOf(type)}`,
    () => `${scope.helper("setOf")}(${keys.map(stringText).join()})`,
  );
}
