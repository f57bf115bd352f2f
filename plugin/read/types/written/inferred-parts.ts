import { ts } from "ts-morph";
import type { Bindings, TypeContext } from "../../base/type-context.ts";
import { namedBy } from "./named-by.ts";
import type { Written } from "./type-bindings.ts";

/** Functions that find the parts of a type, and record the comments on the way to them. */
interface Parts<Opened extends Written> {
  open(written: Written): Opened;
  item(list: Opened): void;
  field(owner: Written, key: string): Written | undefined;
}

/**
 * Finds the written type for each `infer` in a pattern; undefined if the written type does not have the form of the
 * pattern.
 */
export function inferredParts<Opened extends Written>(
  context: TypeContext,
  pattern: ts.TypeNode,
  given: Written,
  parts: Parts<Opened>,
): Bindings | undefined {
  const found = new Map<ts.Symbol, Written>();
  const match = (node: ts.TypeNode, written: Written | undefined): boolean => {
    if (written === undefined) return false;
    if (ts.isInferTypeNode(node)) {
      const symbol = context.reading.checker.getSymbolAtLocation(node.typeParameter.name);
      if (symbol !== undefined) found.set(symbol, written);
      return symbol !== undefined;
    }
    if (!holdsInfer(node)) return true;
    if (ts.isParenthesizedTypeNode(node) || isReadonly(node)) return match(node.type, written);
    if (ts.isTypeLiteralNode(node)) {
      return node.members.filter(holdsInfer).every((member) => {
        const isField = ts.isPropertySignature(member) && member.type !== undefined && ts.isIdentifier(member.name);
        return isField && match(member.type, parts.field(written, member.name.text));
      });
    }
    const [argument] = argumentsOf(node);
    const name = ts.isTypeReferenceNode(node) ? node.typeName.getText() : "";
    // Wrappers such as `Promise` are entered, since they do not change the tags of their argument.
    if (argument !== undefined && /^(Promise|PromiseLike|Readonly|NonNullable)$/.test(name))
      return match(argument, written);
    const opened = parts.open(written);
    const item = itemOf(opened.node);
    const wanted = itemOf(node);
    if (item !== undefined && wanted !== undefined) {
      parts.item(opened);
      return match(wanted, { node: item, bindings: opened.bindings });
    }
    const own = namedBy(context, opened.node);
    const isSame = own !== undefined && own === namedBy(context, node);
    const pairs = isSame ? [argumentsOf(node), argumentsOf(opened.node)] : [elementsOf(node), elementsOf(opened.node)];
    const [wants = [], has = []] = pairs;
    return (
      wants.length > 0 &&
      wants.every((one, index) => {
        const part = has[index];
        return !holdsInfer(one) || (part !== undefined && match(one, { node: part, bindings: opened.bindings }));
      })
    );
  };
  return match(pattern, given) && found.size > 0 ? found : undefined;
}

/** True for a type with `infer` in it. */
export function holdsInfer(node: ts.Node): boolean {
  return ts.isInferTypeNode(node) || ts.forEachChild(node, holdsInfer) === true;
}

function isReadonly(node: ts.TypeNode): node is ts.TypeOperatorNode {
  return ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword;
}

function argumentsOf(node: ts.TypeNode): readonly ts.TypeNode[] {
  return ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
}

/** Returns the type of the items of a list. */
function itemOf(node: ts.TypeNode): ts.TypeNode | undefined {
  if (ts.isArrayTypeNode(node)) return node.elementType;
  const isList = ts.isTypeReferenceNode(node) && /^(Readonly)?(Array|Set)$/.test(node.typeName.getText());
  return isList ? node.typeArguments?.[0] : undefined;
}

/** Returns the elements of a tuple before its rest element. */
function elementsOf(node: ts.TypeNode): readonly ts.TypeNode[] {
  const elements = ts.isTupleTypeNode(node) ? node.elements : [];
  const rest = elements.findIndex(
    (one) => ts.isRestTypeNode(one) || (ts.isNamedTupleMember(one) && one.dotDotDotToken),
  );
  return (rest < 0 ? elements : elements.slice(0, rest)).map((one) => (ts.isNamedTupleMember(one) ? one.type : one));
}
