import type { ts } from "ts-morph";
import { type AdoptedImport, type AdoptedModule, adoptedPrefix, type AdoptedTool } from "../../model/adopted.ts";
import type { AdoptContext } from "../base/context.ts";
import { freeName, urnOf } from "../base/names.ts";
import { declarationText, typeText } from "../zod/shape-text.ts";
import { fieldsOf, type NamedType, type Shape } from "../base/shape.ts";

/** A module that is being generated from one file of the original service. */
export interface Draft {
  readonly file: string;
  readonly imports: Map<string, AdoptedImport>;
  readonly statements: string[];
  readonly tools: AdoptedTool[];
  /** Names in this module of the declarations that it has taken over, by the original declaration. */
  readonly carried: Map<ts.Node, string>;
  /** Names that are declared without a value, which the author has to provide; by name and type. */
  readonly captured: Map<string, string>;
}

/** All modules that are being generated. */
export interface Drafts {
  readonly context: AdoptContext;
  /** Namespace of the URNs of models. */
  readonly namespace: string;
  of(file: string): Draft;
  /** Returns the name of a type in a module, and adds the type's declaration or its import. */
  use(draft: Draft, type: NamedType): string;
  /**
   * Returns the name of a request's or result's type. An object gets a URN. If the schema has no name, `name` is used.
   */
  model(draft: Draft, shape: Shape, name: string, tool: string, kind: "request" | "result"): string;
  /** Returns a type as TypeScript text, for use in a module. */
  text(draft: Draft, shape: Shape): string;
  finish(relative: (file: string) => string): readonly AdoptedModule[];
}

/**
 * Creates an empty set of modules.
 *
 * @param namespace Namespace of the URNs of models
 */
export function openDrafts(context: AdoptContext, namespace: string): Drafts {
  const drafts = new Map<string, Draft>();
  const declared = new Map<NamedType, { readonly draft: Draft; readonly place: number }>();
  const urns = new Map<NamedType, string>();

  function of(file: string): Draft {
    const known = drafts.get(file);
    if (known !== undefined) return known;
    const draft: Draft = {
      file,
      imports: new Map(),
      statements: [],
      tools: [],
      carried: new Map(),
      captured: new Map(),
    };
    drafts.set(file, draft);
    return draft;
  }

  function use(draft: Draft, type: NamedType): string {
    declare(type);
    if (type.file === draft.file) return type.name;
    const from = adoptedPrefix + type.file;
    const known = [...draft.imports.values()].find((one) => one.from === from && one.name === type.name);
    if (known !== undefined) return known.local;
    // The name may be used already: the file may import the schema under the same name.
    const local = freeName(type.name, context.namesOf(draft.file));
    draft.imports.set(local, { from, written: from, name: type.name, local, isType: true });
    return local;
  }

  function declare(type: NamedType): void {
    if (declared.has(type)) return;
    const draft = of(type.file);
    const place = draft.statements.push("") - 1;
    declared.set(type, { draft, place });
    write(type);
  }

  function write(type: NamedType): void {
    const at = declared.get(type);
    if (at === undefined || type.shape === undefined) return;
    const urn = urns.get(type);
    const tags = urn === undefined ? [] : [`@schema ${urn}`];
    at.draft.statements[at.place] = declarationText(type.name, type.shape, tags, (other) => use(at.draft, other));
  }

  return {
    context,
    namespace,
    of,
    use,
    model(draft, shape, name, tool, kind) {
      const isNamed = shape.core.kind === "named";
      const type: NamedType = shape.core.kind === "named" ? shape.core.type : { name, file: draft.file, shape };
      const used = use(draft, type);
      // A type that is only another name for an existing type already has that type's URN.
      if (fieldsOf(shape) !== undefined && !urns.has(type)) {
        urns.set(type, isNamed ? urnOf(namespace, type.name, kind) : urnOf(namespace, tool, kind));
        write(type);
      }
      return used;
    },
    text: (draft, shape) => typeText(shape, (type) => use(draft, type)),
    finish: (relative) =>
      [...drafts.values()].map((draft) => ({
        source: relative(draft.file),
        imports: [...draft.imports.values()],
        statements: draft.statements.filter((text) => text !== ""),
        tools: draft.tools,
      })),
  };
}

/** Adds an import from a generated module or from `tenon`. */
export function addImport(draft: Draft, from: string, name: string, isType: boolean): void {
  const known = draft.imports.get(name);
  draft.imports.set(name, { from, written: from, name, local: name, isType: isType && known?.isType !== false });
}
