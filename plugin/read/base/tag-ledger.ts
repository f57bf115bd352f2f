import type { ts } from "ts-morph";
import { constraintTags, fieldTags, isKnownTag } from "./tag-names.ts";
import type { Doc, DocTag } from "./tsdoc.ts";

/** The fate of a tag: it shapes the schema, a use's own tag stands in its place, or a diagnostic speaks of it. */
export type TagFate = "used" | "refused";

/** Counts the tags of a tool's types were met, and what became of them. */
export interface TagCount {
  readonly tool: string;
  readonly met: number;
  readonly used: number;
  readonly refused: number;
}

/** A tag that was met and then forgotten. */
export interface LostTag {
  /** The declaration with the comment, or the use of the alias whose comment it is. */
  readonly at: ts.Node;
  readonly tag: DocTag;
}

/** Keeps account of every tag that says something of a value, so that none is lost without a word. */
export interface TagLedger {
  /** Notes the tags of a comment where it says something of a type: at a declaration, or at a use of an alias. */
  meet(at: ts.Node, doc: Doc): void;
  /** Notes what became of a tag. Once is enough: an alias that is read twice at one place stands for one use. */
  settle(at: ts.Node, tag: DocTag, fate: TagFate): void;
  lost(): readonly LostTag[];
  count(tool: string): TagCount;
}

/** Tags that speak of a value, and those that nobody knows. The others are of tools, or of code. */
function isCounted({ name }: DocTag): boolean {
  return constraintTags.has(name) || fieldTags.has(name) || !isKnownTag(name);
}

export function createTagLedger(): TagLedger {
  const entries = new Map<ts.Node, Map<number, { readonly tag: DocTag; fate?: TagFate }>>();
  const tagsOf = (at: ts.Node): Map<number, { readonly tag: DocTag; fate?: TagFate }> => {
    const known = entries.get(at) ?? new Map<number, { readonly tag: DocTag; fate?: TagFate }>();
    entries.set(at, known);
    return known;
  };
  const all = (): readonly { readonly at: ts.Node; readonly tag: DocTag; readonly fate?: TagFate }[] =>
    [...entries].flatMap(([at, tags]) => [...tags.values()].map((entry) => ({ at, ...entry })));
  return {
    meet(at, doc) {
      const tags = doc.tags.filter(isCounted);
      if (tags.length === 0) return;
      const known = tagsOf(at);
      for (const tag of tags) if (!known.has(tag.start)) known.set(tag.start, { tag });
    },
    settle(at, tag, fate) {
      if (!isCounted(tag)) return;
      const known = tagsOf(at);
      // A tag that shapes the schema somewhere is not lost, though it may not fit elsewhere, which is reported there.
      if (known.get(tag.start)?.fate !== "used") known.set(tag.start, { tag, fate });
    },
    lost: () => all().filter(({ fate }) => fate === undefined),
    count: (tool) => ({
      tool,
      met: all().length,
      used: all().filter(({ fate }) => fate === "used").length,
      refused: all().filter(({ fate }) => fate === "refused").length,
    }),
  };
}
