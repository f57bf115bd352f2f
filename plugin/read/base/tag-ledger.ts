import type { ts } from "ts-morph";
import { constraintTags, fieldTags, isKnownTag } from "./tag-names.ts";
import type { Doc, DocTag } from "./tsdoc.ts";

/**
 * Outcome for a tag. `used`: the tag affects the schema, or is overridden by a tag where its type is used. `refused`: a
 * diagnostic reports the tag.
 */
export type TagFate = "used" | "refused";

/** Numbers of the tags on a tool's types: all that were found, and those with each outcome. */
export interface TagCount {
  readonly tool: string;
  readonly met: number;
  readonly used: number;
  readonly refused: number;
}

/** A tag that was found and then neither used nor reported. */
export interface LostTag {
  /** The declaration with the comment; for the comment of an alias, the use of the alias. */
  readonly at: ts.Node;
  readonly tag: DocTag;
}

/** Records every tag that describes values, so that none is ignored without a diagnostic. */
export interface TagLedger {
  /** Records the tags of a comment about a type: at a declaration, or at a use of an alias. */
  meet(at: ts.Node, doc: Doc): void;
  /** Records the outcome for a tag. An alias that is read twice at one position counts as one use. */
  settle(at: ts.Node, tag: DocTag, fate: TagFate): void;
  lost(): readonly LostTag[];
  count(tool: string): TagCount;
}

/** True for tags that describe values, and for unknown tags. Other tags concern tools or code. */
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
      // A tag that is used once counts as used: if it does not fit at another use of the type, that is reported there.
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
