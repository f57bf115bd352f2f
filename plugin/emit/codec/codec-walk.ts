import type { ArrayType, MapType, ObjectType, SetType, TupleType, TypeModel, UnionType } from "../../model/type.ts";
import { isSame } from "../facts/codec-facts.ts";
import { codecNeedsMemory } from "../facts/joined-members.ts";
import { shapeKey } from "../facts/shape-key.ts";
import { resolveType } from "../facts/type-facts.ts";
import type { RuntimeName } from "../text/runtime-names.ts";
import { remembered, type Scope } from "../text/scope.ts";

/** Functions by which a codec converts values of each kind of type, in one direction. */
export interface CodecWalk {
  readonly direction: "decode" | "encode";
  readonly bytes: (type: { readonly buffer?: boolean }) => RuntimeName;
  readonly list: (type: ArrayType | SetType | MapType, value: string, scope: Scope) => string;
  readonly tuple: (type: TupleType, scope: Scope) => string;
  readonly object: (type: ObjectType, scope: Scope) => string;
  readonly union: (type: UnionType, scope: Scope) => string;
}

/** Returns the name of the function that converts a value of a type; `undefined` if values need no conversion. */
export function codecName(type: TypeModel, scope: Scope, walk: CodecWalk): string | undefined {
  const { direction } = walk;
  const target = resolveType(type, scope.definitions);
  if (isSame(target, scope.definitions)) return undefined;
  const [key, name] = [`${direction}:${shapeKey(target)}`, `${direction}${scope.nameOf(type)}`];
  if (type.kind === "ref" && codecNeedsMemory(type.name, scope.definitions, direction))
    return remembered(key, name, () => codecName(target, scope, walk), scope);
  switch (target.kind) {
    case "date":
      return scope.helper(`${direction}Date`);
    case "url":
      return scope.helper(`${direction}Url`);
    case "bigint":
      return scope.helper(`${direction}BigInt`);
    case "bytes":
      return scope.helper(walk.bytes(target));
    default:
      return scope.constant(key, name, () => `v=>${structureText(target, scope, walk)}`);
  }
}

/** Expression for the converted form of the expression `value`. A list is converted in place. */
export function convertedText(type: TypeModel, value: string, scope: Scope, walk: CodecWalk): string {
  if (type.kind === "array" || type.kind === "set" || type.kind === "map") return walk.list(type, value, scope);
  const name = codecName(type, scope, walk);
  return name === undefined ? value : `${name}(${value})`;
}

function structureText(type: TypeModel, scope: Scope, walk: CodecWalk): string {
  switch (type.kind) {
    case "array":
    case "set":
    case "map":
      return walk.list(type, "v", scope);
    case "tuple":
      return walk.tuple(type, scope);
    case "object":
      return walk.object(type, scope);
    case "union":
      return walk.union(type, scope);
    default:
      return "v";
  }
}

/** Formats an optional last argument of a call; empty if there is none. */
export function optionalArgument(name: string | undefined): string {
  return name === undefined ? "" : `,${name}`;
}
