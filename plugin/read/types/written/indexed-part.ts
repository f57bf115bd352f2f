import { ts } from "ts-morph";

/**
 * Finds the type that an index takes out of a list, a tuple, or an object whose fields are all written as one type,
 * such as `Record<"key", T>`; undefined for other types.
 */
export function indexedPart(node: ts.TypeNode, index: ts.Type): ts.TypeNode | undefined {
  const isNumber = (index.flags & ts.TypeFlags.NumberLike) !== 0;
  const [first, second] = ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
  const name = ts.isTypeReferenceNode(node) ? node.typeName.getText() : "";
  const part = ts.isArrayTypeNode(node)
    ? node.elementType
    : name === "Array" || name === "ReadonlyArray"
      ? first
      : undefined;
  if (part !== undefined) return isNumber ? part : undefined;
  if (ts.isTupleTypeNode(node) && index.isNumberLiteral()) return elementOf(node, index.value);
  // In a homomorphic mapped type such as `{ [K in keyof User]: User[K] }`, each field keeps its type, so the template
  // is not the type of all fields.
  const template =
    ts.isMappedTypeNode(node) && !isIndexedBy(node, node.typeParameter.name.text) ? node.type : undefined;
  return name === "Record" ? second : template;
}

function elementOf(tuple: ts.TupleTypeNode, index: number): ts.TypeNode | undefined {
  const elements = tuple.elements.slice(0, index + 1);
  const isRest = (one: ts.Node): boolean =>
    ts.isRestTypeNode(one) || (ts.isNamedTupleMember(one) && one.dotDotDotToken !== undefined);
  const element = elements.some(isRest) ? undefined : elements[index];
  return element && (ts.isNamedTupleMember(element) ? element.type : element);
}

/** True if a type is indexed by the key of the mapped type. */
function isIndexedBy(node: ts.Node, key: string): boolean {
  return ts.forEachChild(node, (child) => isKeyed(child, key) || isIndexedBy(child, key)) === true;
}

function isKeyed(node: ts.Node, key: string): boolean {
  return ts.isIndexedAccessTypeNode(node) && node.indexType.getText() === key;
}
