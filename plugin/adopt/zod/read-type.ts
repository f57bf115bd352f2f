import { ts } from "ts-morph";
import { leaveOpen } from "../base/context.ts";
import { declarationOf } from "../base/follow.ts";
import { freeName } from "../base/names.ts";
import { type NamedType, type Shape, shapeOf, textShape } from "../base/shape.ts";
import type { ZodReading } from "./zod-reading.ts";

/** Generic types of the language whose arguments are read. */
const generics: ReadonlySet<string> = new Set(["Record", "Partial", "Map", "Set"]);

/** Reads a type in the position of a schema, such as the argument of `c.type<T>()` in ts-rest. */
export function readType(reading: ZodReading, node: ts.TypeNode): Shape {
  const read = (inner: ts.TypeNode): Shape => readType(reading, inner);
  if (ts.isParenthesizedTypeNode(node)) return read(node.type);
  if (ts.isArrayTypeNode(node)) return shapeOf({ kind: "list", item: read(node.elementType) });
  if (ts.isUnionTypeNode(node)) return shapeOf({ kind: "union", members: node.types.map(read) });
  if (ts.isIntersectionTypeNode(node)) return shapeOf({ kind: "both", members: node.types.map(read) });
  if (ts.isTypeLiteralNode(node)) return fieldsShape(reading, node.members);
  if (ts.isLiteralTypeNode(node)) return textShape(node.getText());
  if (ts.isTypeReferenceNode(node)) return readReference(reading, node);
  const text = node.getText();
  if (text === "string" || text === "number") return textShape(text, text);
  if (text === "boolean" || text === "unknown") return textShape(text);
  return text === "any" ? textShape("unknown") : leftOpen(reading, node);
}

function leftOpen({ context }: ZodReading, node: ts.Node): Shape {
  leaveOpen(context, node, "a type that is not read", "write it instead of `unknown`");
  return textShape("unknown");
}

function fieldsShape(reading: ZodReading, members: readonly ts.TypeElement[]): Shape {
  const fields = new Map<string, Shape>();
  for (const member of members) {
    if (!ts.isPropertySignature(member) || member.type === undefined || ts.isComputedPropertyName(member.name)) {
      leftOpen(reading, member);
      continue;
    }
    fields.set((member.name as ts.Identifier | ts.StringLiteral).text, {
      ...described(reading, member.name, readType(reading, member.type)),
      ...(member.questionToken !== undefined && { optional: true }),
    });
  }
  return shapeOf({ kind: "object", fields });
}

/** Adds the text of the comment that precedes a declaration. */
function described({ context: { checker } }: ZodReading, name: ts.Node, shape: Shape): Shape {
  const text = checker.getSymbolAtLocation(name)?.getDocumentationComment(checker);
  const description = ts.displayPartsToString(text);
  return description === "" ? shape : { ...shape, description };
}

function readReference(reading: ZodReading, node: ts.TypeReferenceNode): Shape {
  const { context } = reading;
  const { typeName, typeArguments = [] } = node;
  const [argument] = typeArguments;
  if (argument !== undefined && ts.isTypeQueryNode(argument) && ts.isIdentifier(argument.exprName))
    return reading.read({ node: argument.exprName, bound: new Map() });
  const declaration = ts.isIdentifier(typeName) ? declarationOf(context, typeName) : undefined;
  const name = typeName.getText();
  if (declaration === undefined) {
    const of = typeArguments.map((one) => readType(reading, one));
    if (name === "Date") return textShape("Date", "date");
    if (name === "Array" && of[0] !== undefined) return shapeOf({ kind: "list", item: of[0] });
    return generics.has(name) ? shapeOf({ kind: "generic", name, of }) : leftOpen(reading, node);
  }
  const isExtended = ts.isInterfaceDeclaration(declaration) && declaration.heritageClauses !== undefined;
  const isNamed = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
  if (!isNamed || isExtended || typeArguments.length > 0) return leftOpen(reading, node);
  return shapeOf({ kind: "named", type: namedType(reading, declaration, name) });
}

function namedType(
  reading: ZodReading,
  declaration: ts.InterfaceDeclaration | ts.TypeAliasDeclaration,
  name: string,
): NamedType {
  const { context } = reading;
  const known = context.named.get(declaration);
  if (known !== undefined) return known;
  const file = declaration.getSourceFile().fileName;
  const type: NamedType = { name: freeName(name, context.namesOf(file)), file };
  context.named.set(declaration, type);
  const shape = ts.isInterfaceDeclaration(declaration)
    ? fieldsShape(reading, declaration.members)
    : readType(reading, declaration.type);
  type.shape = described(reading, declaration.name, shape);
  return type;
}
