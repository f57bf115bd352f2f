import { ts } from "ts-morph";
import type { Written } from "./written.ts";

/**
 * The type that an index takes out of a list, a tuple, or an object whose fields are all written as one type, as in
 * `Record<"key", T>`; undefined for other types.
 */
export function indexedPart({ node, bindings }: Written, index: ts.Type): Written | undefined {
  const isNumber = (index.flags & ts.TypeFlags.NumberLike) !== 0;
  const [first, second] = ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
  const name = ts.isTypeReferenceNode(node) ? node.typeName.getText() : "";
  const part = ts.isArrayTypeNode(node)
    ? node.elementType
    : name === "Array" || name === "ReadonlyArray"
      ? first
      : undefined;
  if (part !== undefined) return isNumber ? { node: part, bindings } : undefined;
  if (ts.isTupleTypeNode(node) && index.isNumberLiteral()) return elementOf({ node, bindings }, index.value);
  // In `{ [K in keyof User]: User[K] }` each field is what it was.
  const template = ts.isMappedTypeNode(node) && !hasIndex(node) ? node.type : undefined;
  const value = name === "Record" ? second : template;
  return value === undefined ? undefined : { node: value, bindings };
}

function elementOf({ node, bindings }: Written & { readonly node: ts.TupleTypeNode }, index: number) {
  const elements = node.elements.slice(0, index + 1);
  const isRest = (one: ts.Node): boolean =>
    ts.isRestTypeNode(one) || (ts.isNamedTupleMember(one) && one.dotDotDotToken !== undefined);
  const element = elements.some(isRest) ? undefined : elements[index];
  return element && { node: ts.isNamedTupleMember(element) ? element.type : element, bindings };
}

function hasIndex(node: ts.Node): boolean {
  return ts.forEachChild(node, (child) => ts.isIndexedAccessTypeNode(child) || hasIndex(child)) === true;
}
