import { ts } from "ts-morph";

type Key = ts.Type | string;

/** A syntax node in the search for a union's members: the members it names, and the nodes to search next. */
interface Step {
  readonly node: ts.Node;
  keys?: readonly Key[];
  next?: readonly Step[];
}

/** Cache of steps by node: in a large package every union whose members are written nowhere searches all nodes. */
const steps = new WeakMap<ts.TypeChecker, Map<ts.Node, Step>>();

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
  const seen = new Set<Step>();
  const stepOf = stepsOf(checker);
  const visit = (step: Step): void => {
    // The last member comes last, whether a node names it or not.
    if (seen.has(step) || ranks.size >= wanted.size - 1) return;
    seen.add(step);
    for (const key of (step.keys ??= keysOf(checker, step.node)))
      if (wanted.has(key) && !ranks.has(key)) ranks.set(key, ranks.size);
    for (const next of (step.next ??= nodesAfter(checker, step.node).map(stepOf))) visit(next);
  };
  for (const node of nodes) visit(stepOf(node));
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

function stepsOf(checker: ts.TypeChecker): (node: ts.Node) => Step {
  let known = steps.get(checker);
  if (known === undefined) steps.set(checker, (known = new Map()));
  const all = known;
  return (node) => {
    const step = all.get(node) ?? { node };
    all.set(node, step);
    return step;
  };
}

/** The members that a node names itself, in their order. */
function keysOf(checker: ts.TypeChecker, node: ts.Node): readonly Key[] {
  if (ts.isStringLiteralLike(node)) return [`string:${node.text}`];
  if (ts.isNumericLiteral(node)) return [`number:${Number(node.text)}`];
  if (!ts.isTypeNode(node)) return [];
  const type = checker.getTypeFromTypeNode(node);
  const keys = [keyOf(type)];
  if (type.flags & ts.TypeFlags.EnumLike) keys.push(...enumMembers(type).map(keyOf));
  else if (type.flags & ts.TypeFlags.Boolean) keys.push("boolean:true", "boolean:false");
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword) {
    const properties = checker.getTypeFromTypeNode(node.type).getProperties();
    keys.push(...properties.map(({ name }) => `string:${name}`));
  }
  if (ts.isTemplateLiteralTypeNode(node)) keys.push(...templateTexts(checker, node).map((text) => `string:${text}`));
  return keys;
}

/** The nodes in which a node's members may be written: the property that it selects, its parts, and what it names. */
function nodesAfter(checker: ts.TypeChecker, node: ts.Node): readonly ts.Node[] {
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteralLike(node.literal)) return [];
  const nodes: ts.Node[] = ts.isIndexedAccessTypeNode(node) ? [...selectedTypes(checker, node)] : [];
  ts.forEachChild(node, (child) => {
    if (!ts.isIdentifier(child) && !ts.isQuestionToken(child)) nodes.push(child);
  });
  const name = ts.isTypeReferenceNode(node) ? node.typeName : ts.isTypeQueryNode(node) ? node.exprName : undefined;
  const symbol = name === undefined ? undefined : aliased(checker, checker.getSymbolAtLocation(name));
  for (const declaration of symbol?.declarations ?? []) {
    if (ts.isTypeAliasDeclaration(declaration)) nodes.push(declaration.type);
    if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined)
      nodes.push(declaration.initializer);
  }
  return nodes;
}

/** The written types of the property in `User["email"]`. */
function selectedTypes(checker: ts.TypeChecker, node: ts.IndexedAccessTypeNode): readonly ts.TypeNode[] {
  const index = checker.getTypeFromTypeNode(node.indexType);
  if (!index.isStringLiteral()) return [];
  const property = checker.getTypeFromTypeNode(node.objectType).getProperty(index.value);
  return (property?.declarations ?? []).flatMap((declaration) =>
    ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration) ? (declaration.type ?? []) : [],
  );
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
