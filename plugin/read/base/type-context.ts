import type { ts } from "ts-morph";
import type { Position, TypeModel, UnionType } from "../../model/type.ts";
import type { Finding, Place, Reading } from "./reading.ts";
import type { Doc } from "./tsdoc.ts";
import type { TagLedger } from "./tag-ledger.ts";

/** The arguments of type parameters: the nodes that were written for them, each with the bindings around it. */
export type Bindings = ReadonlyMap<ts.Symbol, { readonly node: ts.TypeNode; readonly bindings: Bindings }>;

/** The place of a type, for diagnostics. */
export interface Site {
  /** In the author's own files, even when the type is declared elsewhere. */
  readonly place: Place;
  /** Subject of a message, for example ``Field `when` ``. */
  readonly subject: string;
  /** The path to a field of a package's type, from the author's own field on, for example `value.items[]`. */
  readonly path?: string;
  /** The author cannot change what declares it. */
  readonly foreign?: true;
  /** The type is a part (item, member, value) of the subject's type. */
  readonly inner?: true;
  /** The value may be missing, so `undefined` is legal here. */
  readonly mayMiss?: true;
  /** Type nodes around this place, innermost first; they show the written order of unions. */
  readonly nodes: readonly ts.Node[];
  /** Name for a recursive type that has none. */
  readonly hint: string;
  /** The arguments of the type parameters in the node; default: nothing. */
  readonly bindings?: Bindings | undefined;
  /** Names of the tags that narrow the value here, and so stand in place of those of the type. */
  readonly overrides?: ReadonlySet<string>;
  /** The type is all of a field, so it may bring a default and a header. */
  readonly isField?: true;
  /** The type is a member of the union that is all of a field, which takes a default and examples from it. */
  readonly isMember?: true;
}

/** A comment in or behind a node that says something of values, and the node that brings it. */
export interface Brought {
  readonly use: ts.Node;
  readonly doc: Doc;
}

/** A named type: one type may have several names, by the alias and by the tags of its type arguments. */
export interface NamedType {
  readonly symbol: ts.Symbol | undefined;
  /** Tags that type arguments bring, as a text; empty without. */
  readonly tags: string;
  readonly name: string;
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
  readonly named: Map<ts.Type, NamedType[]>;
  readonly open: Map<ts.Type, OpenType>;
  /** Names of recursive types that have the tags of their alias already. */
  readonly layered: Set<string>;
  /** The account of the tags of this tool. */
  readonly ledger: TagLedger;
  /** The bindings within nodes that mean the same everywhere. */
  readonly bindings: Map<ts.Node, Bindings>;
  /** The comments behind nodes that mean the same everywhere. */
  readonly brought: Map<ts.Node, readonly Brought[]>;
  /** Unions that were read by nodes that mean the same everywhere. */
  readonly unionsRead: Map<ts.Node, Map<ts.Type, TypeModel>>;
  /** Nodes whose names were looked up already, and whether all were found. */
  readonly checked: Map<ts.Node, boolean>;
  /** Symbols of the named types around the current place, to detect types that expand without end. */
  readonly stack: ts.Symbol[];
  /** Unions that are checked after all definitions are known. */
  readonly unions: { readonly union: UnionType; readonly site: Site }[];
  /** Fields with a text of their own, by the place of their name. */
  readonly withText: Set<Position>;
  /** Fields without any text, and the finding that says so unless a `@param` of the tool has one. */
  readonly withoutText: Map<Position, Finding>;
  /** Callers send these types, so their fields need texts. */
  readonly isRequest: boolean;
  /** The number of parts that were read. */
  readonly size: { parts: number };
  read(type: ts.Type, node: ts.TypeNode | undefined, site: Site): TypeModel;
}

/** The site of a part of a type. */
export function part(site: Site, node: ts.Node | undefined): Site {
  const { mayMiss: _mayMiss, isField: _isField, isMember: _isMember, ...rest } = site;
  return { ...rest, inner: true, nodes: node === undefined ? site.nodes : [node, ...site.nodes] };
}
