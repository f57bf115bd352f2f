import type { TypeModel, UnionType } from "../../model/type.ts";
import { jsonText } from "../text/js-text.ts";
import { readKey, type Scope } from "../text/scope.ts";
import { findDiscriminator, flattenUnion, resolveType } from "../facts/type-facts.ts";

/** Creates tests of the members of a union. */
export interface Checks {
  /** Makes the test of a wire value; empty when every value is legal. `value`: expression for the wire value. */
  readonly check: (type: TypeModel, value: string) => string;
  /** Returns the key of the generated constant that holds the function which checks a value against the type. */
  readonly key: (type: TypeModel) => string;
  /** Returns the preferred name of the constant that holds the check of the type. */
  readonly name: (type: TypeModel) => string;
}

/** Maximum number of literals that are compared one by one; for more, a set is faster and shorter. */
const mostComparisons = 6;

/** Makes the test of a wire value against a union. `value`: expression for the wire value. */
export function unionCheck(type: UnionType, value: string, checks: Checks, scope: Scope): string {
  const members = flattenUnion(type.members);
  const literals = members.filter((member) => member.kind === "literal").map((member) => member.value);
  const objects = members.filter((member) => resolveType(member, scope.definitions).kind === "object");
  const others = members.filter((member) => member.kind !== "literal" && !objects.includes(member));
  const tests =
    literals.length > mostComparisons
      ? [
          `${scope.constant(`set:${JSON.stringify(literals)}`, `valuesOf${scope.nameOf(type)}`, () => `${scope.helper("setOf")}(${literals.map(jsonText).join()})`)}.has(${value})`,
        ]
      : literals.map((literal) => `${value}===${jsonText(literal)}`);
  tests.push(
    ...others.map((member) => checks.check(member, value)),
    ...objectsCheck(objects, value, type, checks, scope),
  );
  return tests.join("||");
}

function objectsCheck(
  objects: readonly TypeModel[],
  value: string,
  type: UnionType,
  checks: Checks,
  scope: Scope,
): readonly string[] {
  const found = findDiscriminator(objects, scope.definitions, type.discriminator);
  if (found === undefined) return objects.map((member) => checks.check(member, value));
  const name = scope.constant(
    `members:${objects.map((member) => checks.key(member)).join()}`,
    checks.name(type),
    () => {
      const cases = objects.map((member, index) => {
        const labels = (found.values[index] ?? []).map((literal) => `case ${jsonText(literal)}:`).join("");
        return `${labels}return ${checks.check(member, "v")}`;
      });
      return `v=>{if(${scope.helper("isObject")}(v))switch(${readKey("v", found.key, scope)}){${cases.join(";")}}return!1}`;
    },
  );
  return [`${name}(${value})`];
}
