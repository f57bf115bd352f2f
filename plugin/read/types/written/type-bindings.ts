import { ts } from "ts-morph";
import type { Bindings, Site, TypeContext } from "../../base/type-context.ts";
import { isClosed } from "./closed.ts";
import { leadsNowhere } from "./leads-nowhere.ts";
import { namedBy } from "./named-by.ts";

/** A node together with the arguments of the type parameters in it. */
export interface Written {
  readonly node: ts.TypeNode;
  readonly bindings: Bindings;
}

export const noBindings: Bindings = new Map();

/** A node with the bindings of its site. */
export function writtenAt(node: ts.TypeNode | undefined, site: Site): Written | undefined {
  return node === undefined ? undefined : { node, bindings: site.bindings ?? noBindings };
}

type Generic = ts.TypeAliasDeclaration | ts.InterfaceDeclaration | ts.ClassLikeDeclaration;

/** The bindings for the type parameters of the type that a node names. */
export function ownBindings(context: TypeContext, generic: Generic, node: ts.TypeNode, outer: Bindings): Bindings {
  const parameters = generic.typeParameters ?? [];
  if (parameters.length === 0) return noBindings;
  const given = (node as { readonly typeArguments?: readonly ts.TypeNode[] }).typeArguments ?? [];
  const own = new Map<ts.Symbol, Written>();
  for (const [index, parameter] of parameters.entries()) {
    const symbol = context.reading.checker.getSymbolAtLocation(parameter.name);
    const argument = given[index];
    if (symbol === undefined) continue;
    if (argument !== undefined) own.set(symbol, resolved(context, { node: argument, bindings: outer }));
    else if (parameter.default !== undefined)
      own.set(symbol, { node: parameter.default, bindings: joined(outer, own) });
  }
  return own;
}

/** Combines bindings with outer ones. Inner bindings shadow outer ones. */
export function joined(outer: Bindings, own: Bindings): Bindings {
  return own.size === 0 ? outer : new Map([...outer, ...own]);
}

/**
 * Replaces a type parameter that is only passed on by its own argument, so that bindings of recursive types do not grow
 * with each level.
 */
function resolved(context: TypeContext, written: Written): Written {
  if (isClosed(context, written.node)) return { node: written.node, bindings: noBindings };
  const symbol = ts.isTypeReferenceNode(written.node) ? namedBy(context, written.node) : undefined;
  return (symbol && written.bindings.get(symbol)) ?? written;
}

/** Returns the type of a node; if the node is a type parameter, the type of its argument. */
export function boundType(context: TypeContext, written: Written): ts.Type {
  return context.reading.checker.getTypeFromTypeNode(boundNode(context, written).node);
}

/** Returns the node itself; for a type parameter, or for `T[K]` in a mapped type, the node of its argument. */
export function boundNode(context: TypeContext, written: Written): Written {
  let step = written;
  for (let length = 0; length < 20; length += 1) {
    const { node } = step;
    const named = ts.isIndexedAccessTypeNode(node) ? node.indexType : node;
    const symbol = namedBy(context, named);
    const isKey = symbol?.declarations?.some(({ parent }) => ts.isMappedTypeNode(parent)) === true;
    const bound = symbol === undefined || isKey !== (named !== node) ? undefined : step.bindings.get(symbol);
    if (bound === undefined) break;
    step = bound;
  }
  return step;
}

/** The bindings of an opened type, and of the type parameters in its members. */
export function bindingsWithin(context: TypeContext, opened: Written): Bindings {
  const found = new Map<ts.Symbol, Written>();
  const seen = new Set<ts.Node>();
  const visit = (node: ts.Node, bindings: Bindings): void => {
    if (ts.isTypeElement(node) || ts.isTypeParameterDeclaration(node)) return;
    if (leadsNowhere(context, context.reading.withoutParameters, node)) return;
    const symbol = namedBy(context, node);
    const bound = symbol === undefined ? undefined : bindings.get(symbol);
    if (bound !== undefined && !seen.has(bound.node)) {
      seen.add(bound.node);
      visit(bound.node, bound.bindings);
    }
    for (const declaration of symbol?.declarations ?? []) {
      if (!isGeneric(declaration)) continue;
      const own = ownBindings(context, declaration, node as ts.TypeNode, bindings);
      for (const [parameter, argument] of own) if (!found.has(parameter)) found.set(parameter, argument);
      const inner = joined(bindings, own);
      if (seen.has(declaration)) continue;
      seen.add(declaration);
      if (ts.isTypeAliasDeclaration(declaration)) visit(declaration.type, inner);
      else for (const clause of declaration.heritageClauses ?? []) for (const base of clause.types) visit(base, inner);
    }
    ts.forEachChild(node, (child) => visit(child, bindings));
  };
  visit(opened.node, opened.bindings);
  return joined(opened.bindings, found);
}

function isGeneric(node: ts.Node): node is Generic {
  return ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassLike(node);
}
