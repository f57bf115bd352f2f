import type { ts } from "ts-morph";
import type { Position, TypeModel, UnionType } from "../../model/type.ts";
import type { Finding, Place, Reading } from "./reading.ts";
import type { Doc } from "./tsdoc.ts";
import type { TagLedger } from "./tag-ledger.ts";

/** Arguments of type parameters: the written nodes, each with the bindings of its context. */
export type Bindings = ReadonlyMap<ts.Symbol, { readonly node: ts.TypeNode; readonly bindings: Bindings }>;

/** The position of a type in its field, for diagnostics. */
export interface Site {
  /** Place in the author's own files, even when the type is declared elsewhere. */
  readonly place: Place;
  /** Subject of a message, for example ``Field `when` ``. */
  readonly subject: string;
  /** The path to a field of a package's type, from the author's own field on, for example `value.items[]`. */
  readonly path?: string;
  /** True if the author cannot change the declaration. */
  readonly foreign?: true;
  /** True if the type is a part (item, member, value) of the subject's type. */
  readonly inner?: true;
  /** True if the value may be missing, so that `undefined` is legal here. */
  readonly mayMiss?: true;
  /** Type nodes around this place, innermost first; they show the written order of unions. */
  readonly nodes: readonly ts.Node[];
  /** Name for a recursive type that has none. */
  readonly hint: string;
  /** Arguments of the type parameters in the node; default: none. */
  readonly bindings?: Bindings | undefined;
  /** Names of the tags that narrow the value at this position, and thus override the tags of its type. */
  readonly overrides?: ReadonlySet<string>;
  /** True if the type is the whole type of a field, so that it may provide a default and a header. */
  readonly isField?: true;
  /**
   * True if the type is a member of a union that is the whole type of a field. The field then takes its default and its
   * examples from the member.
   */
  readonly isMember?: true;
}

/** A comment about values that can be reached from a node through aliases, and the node at which it is. */
export interface Brought {
  readonly use: ts.Node;
  readonly doc: Doc;
}

/** Name of a type. One type may have several names, which differ by the alias or by the tags of its type arguments. */
export interface NamedType {
  readonly symbol: ts.Symbol | undefined;
  /** Tags from type arguments, as a text; empty if there are none. */
  readonly tags: string;
  readonly name: string;
}

/** A type that is being read; it gets a name if it is recursive. */
interface OpenType {
  name?: string;
  readonly hint: string;
}

/** A part of a package's type that was read without findings. */
interface ReadPart {
  readonly type: ts.Type;
  /** Place of the author's field. */
  readonly place: Place;
  readonly isField: true | undefined;
  readonly model: TypeModel;
}

/**
 * Cache of the last result of a search from a node: the reader of a type searches the same node several times in a row,
 * for its comments, its alternatives and its members.
 */
interface Remembered {
  readonly node: ts.Node;
  readonly bindings: Bindings;
  readonly result: unknown;
}

/** Returns the last result of a search if it was for this node, else searches again. */
export function remembered<Result>(
  { last }: Pick<TypeContext, "last">,
  kind: "opened" | "leaves",
  { node, bindings }: Pick<Remembered, "node" | "bindings">,
  search: () => Result,
): Result {
  const before = last[kind];
  if (before?.node === node && before.bindings === bindings) return before.result as Result;
  const result = search();
  last[kind] = { node, bindings, result };
  return result;
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
  /** Names of recursive types to which the tags of their alias were already applied. */
  readonly layered: Set<string>;
  /** The ledger of this tool's tags. */
  readonly ledger: TagLedger;
  /** Cache of the bindings within nodes whose meaning does not depend on where they are used. */
  readonly bindings: Map<ts.Node, Bindings>;
  /** Cache of the comments reached from nodes whose meaning does not depend on where they are used. */
  readonly brought: Map<ts.Node, readonly Brought[]>;
  /** Cache of unions read from nodes whose meaning does not depend on where they are used. */
  readonly unionsRead: Map<ts.Node, Map<ts.Type, TypeModel>>;
  /** Parts of packages' types that were read below a field of the author, by the node that gives them their meaning. */
  readonly partsRead: Map<ts.Node, readonly ReadPart[]>;
  /** The result of the last search that followed a node, and of the last that listed a union's alternatives. */
  readonly last: { opened?: Remembered; leaves?: Remembered };
  /** Nodes whose names were already resolved, and whether all were found. */
  readonly checked: Map<ts.Node, boolean>;
  /** Symbols of the named types around the current place, to detect types that expand without end. */
  readonly stack: ts.Symbol[];
  /** Unions that are checked after all definitions are known. */
  readonly unions: { readonly union: UnionType; readonly site: Site }[];
  /** Fields with an initialiser as their default, by the place of their name. */
  readonly initialised: Set<Position>;
  /** Fields with a text of their own, by the place of their name. */
  readonly withText: Set<Position>;
  /** Fields without any text. Each finding is reported unless a `@param` of the tool describes its field. */
  readonly withoutText: Map<Position, Finding>;
  /** True for types of requests: callers send these, so their fields need texts. */
  readonly isRequest: boolean;
  /** The numbers of parts that were read, and of types without end among them. */
  readonly size: { parts: number; endless: number };
  read(type: ts.Type, node: ts.TypeNode | undefined, site: Site): TypeModel;
}

/** The site of a part of a type. */
export function part(site: Site, node: ts.Node | undefined): Site {
  const { mayMiss: _mayMiss, isField: _isField, isMember: _isMember, ...rest } = site;
  return { ...rest, inner: true, nodes: node === undefined ? site.nodes : [node, ...site.nodes] };
}
