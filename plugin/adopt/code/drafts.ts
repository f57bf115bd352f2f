import type { ts } from "ts-morph";
import { type AdoptedImport, type AdoptedModule, adoptedPrefix, type AdoptedTool } from "../../model/adopted.ts";
import type { AdoptContext } from "../base/context.ts";
import { freeName, urnOf } from "../base/names.ts";
import { declarationText, typeText } from "../zod/shape-text.ts";
import { fieldsOf, type NamedType, type Shape } from "../base/shape.ts";

/** A module that is being written: what was made from one foreign file. */
export interface Draft {
  readonly file: string;
  readonly imports: Map<string, AdoptedImport>;
  readonly statements: string[];
  readonly tools: AdoptedTool[];
  /** Names of carried declarations in the module, by declaration. */
  readonly carried: Map<ts.Node, string>;
  /** Names that were declared for the author to fill in, by name and type. */
  readonly captured: Map<string, string>;
}

/** The modules that are being written. */
export interface Drafts {
  readonly context: AdoptContext;
  of(file: string): Draft;
  /** The name of a type in a module, which declares or imports it. */
  use(draft: Draft, type: NamedType): string;
  /**
   * The name of the type of a request or a result, with a URN if it is an object. A schema without a name gets one.
   */
  model(draft: Draft, shape: Shape, name: string, tool: string, kind: "request" | "result"): string;
  /** The text of a type in a module. */
  text(draft: Draft, shape: Shape): string;
  finish(relative: (file: string) => string): readonly AdoptedModule[];
}

/** Opens the list of modules. @param namespace First part of URNs */
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
    // The file may import the schema by the same name.
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
    of,
    use,
    model(draft, shape, name, tool, kind) {
      const isNamed = shape.core.kind === "named";
      const type: NamedType = shape.core.kind === "named" ? shape.core.type : { name, file: draft.file, shape };
      const used = use(draft, type);
      // A type that is itself a name of another one has the URN of that.
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

/** Adds an import of a written module, or of the package. */
export function addImport(draft: Draft, from: string, name: string, isType: boolean): void {
  const known = draft.imports.get(name);
  draft.imports.set(name, { from, written: from, name, local: name, isType: isType && known?.isType !== false });
}
