import type { ts } from "ts-morph";
import type { TypeModel, UnionType } from "../../model/type.ts";
import type { Place, Reading } from "./reading.ts";

/** The place of a type, for diagnostics. */
export interface Site {
  /** In the author's own files, even when the type is declared elsewhere. */
  readonly place: Place;
  /** Subject of a message, for example ``Field `when` ``. */
  readonly subject: string;
  /** The type is a part (item, member, value) of the subject's type. */
  readonly inner?: true;
  /** The value may be missing, so `undefined` is legal here. */
  readonly mayMiss?: true;
  /** Type nodes around this place, innermost first; they show the written order of unions. */
  readonly nodes: readonly ts.Node[];
  /** Name for a recursive type that has none. */
  readonly hint: string;
}

/** A type that is being read; it gets a name if it refers to itself. */
interface OpenType {
  name?: string;
  readonly hint: string;
}

/** State of reading the types of one tool. */
export interface TypeContext {
  readonly reading: Reading;
  /** Named types, in order of first use. */
  readonly definitions: Map<string, TypeModel>;
  /** The owner of each name; two types with one name get two names. */
  readonly names: Map<string, unknown>;
  /** Names given to types. One type may have two: an alias with a URN of its own is another model. */
  readonly named: Map<ts.Type, Map<ts.Symbol | undefined, string>>;
  readonly open: Map<ts.Type, OpenType>;
  /** Nodes whose names were resolved already; false when one was not found. */
  readonly checked: Map<ts.Node, boolean>;
  /** Symbols of the named types around the current place, to detect types that expand without end. */
  readonly stack: ts.Symbol[];
  /** Unions that are checked after all definitions are known. */
  readonly unions: { readonly union: UnionType; readonly site: Site }[];
  /** Callers send these types, so their fields need texts. */
  readonly isRequest: boolean;
  read(type: ts.Type, node: ts.TypeNode | undefined, site: Site): TypeModel;
}

/** Reads a type that may refer to itself. */
export type Guard = (context: TypeContext, type: ts.Type, site: Site, read: () => TypeModel) => TypeModel;

/** The site of a part of a type. */
export function part(site: Site, node: ts.Node | undefined): Site {
  const { mayMiss: _, ...rest } = site;
  return { ...rest, inner: true, nodes: node === undefined ? site.nodes : [node, ...site.nodes] };
}
