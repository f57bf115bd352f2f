import type { FieldModel, TypeModel, UnionType } from "../../model/type.ts";
import { listsOfObjects, splitUnion, wireKind } from "../facts/codec-facts.ts";
import { joinedDecoder } from "./joined-codec.ts";
import { joinMembers } from "../facts/joined-members.ts";
import { jsonText } from "../text/js-text.ts";
import { readKey, type Scope } from "../text/scope.ts";
import { shapeKey } from "../facts/shape-key.ts";
import { findDiscriminator, resolveType } from "../facts/type-facts.ts";
import { testName } from "../validator/validator.ts";

/** Creates conversions of the members of a union. */
export interface Decoders {
  /** Name of the function that decodes a type; `undefined` when the value stays the same. */
  readonly decoder: (type: TypeModel) => string | undefined;
  /** Expression for the decoded form of the expression `value`. */
  readonly decoded: (type: TypeModel, value: string) => string;
  /** Expression for the decoded value of a field, its default included. */
  readonly field: (field: FieldModel, value: string) => string;
}

/** Expression for the decoded form of `v`, a legal value of a union. */
export function unionText(type: UnionType, decoders: Decoders, scope: Scope): string {
  const { converted, objects, same } = splitUnion(type, scope.definitions);
  const lists = listsOfObjects(converted, scope.definitions);
  const alternatives = converted
    .filter((member) => !objects.includes(member) && !lists.includes(member))
    .map((member) => ({ kind: wireKind(resolveType(member, scope.definitions)), members: [member] }));
  if (lists.length > 0) alternatives.unshift({ kind: "array", members: [...lists] });
  if (objects.length > 0) alternatives.unshift({ kind: "object", members: [...objects] });
  const sameKinds = new Set(same.map(wireKind));
  let text = same.length > 0 ? "v" : "";
  for (const alternative of alternatives.toReversed()) {
    const conversion = objectsOrOne(alternative.members, type, decoders, scope);
    if (text === "") {
      text = conversion;
      continue;
    }
    const isAlone =
      !sameKinds.has(alternative.kind) &&
      alternatives.every((other) => other === alternative || other.kind !== alternative.kind);
    text = `${isAlone ? kindTest(alternative.kind, scope) : legalTest(alternative.members, scope)}?${conversion}:${text}`;
  }
  return text;
}

function kindTest(kind: string, scope: Scope): string {
  if (kind === "array") return `${scope.helper("isArray")}(v)`;
  return kind === "object" ? `${scope.helper("isObject")}(v)` : `typeof v=="${kind}"`;
}

function legalTest(members: readonly TypeModel[], scope: Scope): string {
  return `${testName(members.length === 1 && members[0] !== undefined ? members[0] : { kind: "union", members }, "input", scope)}(v)`;
}

/**
 * Objects are distinguished by their discriminating field. Without one, as in lists, each member that accepts the value
 * adds its keys.
 */
function objectsOrOne(members: readonly TypeModel[], type: UnionType, decoders: Decoders, scope: Scope): string {
  const [only, second] = members;
  if (only === undefined || second === undefined) return only === undefined ? "v" : decoders.decoded(only, "v");
  const found = findDiscriminator(members, scope.definitions, type.discriminator);
  if (found !== undefined) {
    const name = scope.constant(
      `decode:${JSON.stringify(members.map(shapeKey))}`,
      `decode${scope.nameOf(type)}`,
      () => {
        const cases = members.map((member, index) => {
          const labels = (found.values[index] ?? []).map((literal) => `case ${jsonText(literal)}:`).join("");
          return `${labels}return ${decoders.decoded(member, "v")}`;
        });
        return `v=>{switch(${readKey("v", found.key, scope)}){${cases.join(";")}}}`;
      },
    );
    return `${name}(v)`;
  }
  const joined = joinMembers(members, scope.definitions, "decode");
  if (joined !== undefined) {
    const key = `decode-joined:${JSON.stringify(members.map(shapeKey))}`;
    return `${scope.constant(key, `decode${scope.nameOf(type)}`, () => `v=>${joinedDecoder(joined, decoders.field, scope)}`)}(v)`;
  }
  const pairs = scope.constant(
    `decode-members:${JSON.stringify(members.map(shapeKey))}`,
    `decodersOf${scope.nameOf(type)}`,
    () =>
      `[${members.map((member) => `[${testName(member, "input", scope)},${decoders.decoder(member) ?? "v=>v"}]`).join()}]`,
  );
  return `${scope.helper("decodeMembers")}(v,${pairs})`;
}
