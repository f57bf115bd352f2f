import { ts } from "ts-morph";

type Key = ts.Type | string;

/**
 * Sorts members of a union in their written order. The checker sorts by first use, which changes with every import, so
 * the type nodes around the place are used. Members that do not appear in these nodes are sorted by text.
 */
export function orderMembers<Member extends ts.Type>(
  checker: ts.TypeChecker,
  members: readonly Member[],
  nodes: readonly ts.Node[],
): readonly Member[] {
  const ranks = new Map<Key, number>();
  const wanted = new Set(members.map(keyOf));
  const seen = new Set<ts.Node>();
  const note = (type: ts.Type): void => {
    const key = keyOf(type);
    if (wanted.has(key) && !ranks.has(key)) ranks.set(key, ranks.size);
  };
  const noteText = (text: string): void => {
    if (wanted.has(text) && !ranks.has(text)) ranks.set(text, ranks.size);
  };
  const visit = (node: ts.Node): void => {
    // The last member comes last, whether a node names it or not.
    if (seen.has(node) || ranks.size >= wanted.size - 1) return;
    seen.add(node);
    if (ts.isTypeNode(node)) visitType(node);
    else visitValue(node);
  };
  const visitType = (node: ts.TypeNode): void => {
    const type = checker.getTypeFromTypeNode(node);
    note(type);
    if (type.flags & ts.TypeFlags.EnumLike) enumMembers(type).forEach(note);
    else if (type.flags & ts.TypeFlags.Boolean) [`boolean:true`, `boolean:false`].forEach(noteText);
    if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword) {
      for (const property of checker.getTypeFromTypeNode(node.type).getProperties())
        noteText(`string:${property.name}`);
    }
    if (ts.isIndexedAccessTypeNode(node)) indexed(node);
    if (ts.isTemplateLiteralTypeNode(node)) templateTexts(checker, node).forEach((text) => noteText(`string:${text}`));
    ts.forEachChild(node, visit);
    const name = ts.isTypeReferenceNode(node) ? node.typeName : ts.isTypeQueryNode(node) ? node.exprName : undefined;
    const symbol = name === undefined ? undefined : aliased(checker, checker.getSymbolAtLocation(name));
    for (const declaration of symbol?.declarations ?? []) {
      if (ts.isTypeAliasDeclaration(declaration)) visit(declaration.type);
      if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined)
        visit(declaration.initializer);
    }
  };
  const visitValue = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) noteText(`string:${node.text}`);
    else if (ts.isNumericLiteral(node)) noteText(`number:${Number(node.text)}`);
    ts.forEachChild(node, visit);
  };
  const indexed = (node: ts.IndexedAccessTypeNode): void => {
    const index = checker.getTypeFromTypeNode(node.indexType);
    if (!index.isStringLiteral()) return;
    const property = checker.getTypeFromTypeNode(node.objectType).getProperty(index.value);
    for (const declaration of property?.declarations ?? []) {
      if (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration))
        if (declaration.type) visit(declaration.type);
    }
  };
  nodes.forEach(visit);
  const fallback = (type: ts.Type): string => {
    const text = sortTexts.get(type) ?? sortText(checker, type);
    sortTexts.set(type, text);
    return text;
  };
  return members.toSorted((a, b) => {
    const difference = (ranks.get(keyOf(a)) ?? ranks.size) - (ranks.get(keyOf(b)) ?? ranks.size);
    if (difference !== 0) return difference;
    const [left, right] = [fallback(a), fallback(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

/** All texts of a template whose parts are unions of literals; the last part changes fastest. */
function templateTexts(checker: ts.TypeChecker, node: ts.TemplateLiteralTypeNode): readonly string[] {
  let texts: readonly string[] = [node.head.text];
  for (const span of node.templateSpans) {
    const type = checker.getTypeFromTypeNode(span.type);
    const parts = orderMembers(checker, type.isUnion() ? type.types : [type], [span.type]).map(literalText);
    if (texts.length * parts.length > 10_000) return [];
    texts = texts.flatMap((text) => parts.map((part) => text + part + span.literal.text));
  }
  return texts;
}

function literalText(type: ts.Type): string {
  return type.isStringLiteral() || type.isNumberLiteral()
    ? String(type.value)
    : ((type as { intrinsicName?: string }).intrinsicName ?? "");
}

/** Members of an enum in the order of their declarations. */
function enumMembers(type: ts.Type): readonly ts.Type[] {
  if (!type.isUnion()) return [type];
  const position = (member: ts.Type): number => member.getSymbol()?.valueDeclaration?.pos ?? 0;
  return type.types.toSorted((a, b) => position(a) - position(b));
}

function keyOf(type: ts.Type): Key {
  if (type.isStringLiteral()) return `string:${type.value}`;
  if (type.isNumberLiteral()) return `number:${type.value}`;
  if (type.flags & ts.TypeFlags.BooleanLiteral)
    return `boolean:${(type as unknown as { intrinsicName: string }).intrinsicName}`;
  return type;
}

/** Cache of texts for sorting: large types are printed slowly. */
const sortTexts = new WeakMap<ts.Type, string>();

/** Returns a text for sorting that does not depend on the rest of the program. `null` sorts last. */
function sortText(checker: ts.TypeChecker, type: ts.Type): string {
  if (type.isNumberLiteral()) return `1 ${String(type.value + 1e15).padStart(24, "0")}`;
  if (type.isStringLiteral()) return `2 ${type.value}`;
  if (type.flags & ts.TypeFlags.Null) return "9";
  if (type.flags & ts.TypeFlags.EnumLiteral)
    return `3 ${String(type.getSymbol()?.valueDeclaration?.pos ?? 0).padStart(9, "0")}`;
  const declaration = (type.aliasSymbol ?? type.getSymbol())?.declarations?.[0];
  const place =
    declaration === undefined
      ? ""
      : `${declaration.getSourceFile().fileName} ${String(declaration.pos).padStart(9, "0")}`;
  return `4 ${place} ${checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)}`;
}

function aliased(checker: ts.TypeChecker, symbol: ts.Symbol | undefined): ts.Symbol | undefined {
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    ? checker.getAliasedSymbol(symbol)
    : symbol;
}
