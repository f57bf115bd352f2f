import type { ts } from "ts-morph";
import { report } from "../base/reading.ts";
import type { Finding, Place } from "../base/reading.ts";
import type { DocTag } from "../base/tsdoc.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { tagPlace } from "../comments/doc-text.ts";

/** Origin of tags, and whether they still fit the field's type. */
export interface TagScope {
  /** False for tags of a package, whose mistakes the author cannot fix. */
  readonly own: boolean;
  /** False when a mapped type has changed the field's type: then only its texts are used. */
  readonly narrow: boolean;
  /** Node at which the ledger records the tags. */
  readonly at: ts.Node;
  /**
   * Kind of place that has the comment, for messages; default: a field. A type that is only part of a field has no
   * default.
   */
  readonly on?: "field" | "parameter" | "type of a field" | "type" | "model";
}

/** Refuses a tag; reports this if the tag is the author's own. */
export function complain(context: TypeContext, scope: TagScope, tag: DocTag | undefined, finding: Finding): void {
  if (tag !== undefined) context.ledger.settle(scope.at, tag, "refused");
  if (scope.own) report(context.reading, finding);
}

/** The position of a tag, for messages. */
export function placeIn(tag: DocTag | undefined, site: Site): Place {
  return tag === undefined ? site.place : tagPlace(tag, site.place);
}

/** Lower-cases a subject for use inside of a sentence. */
export function lowered(subject: string): string {
  return subject.slice(0, 1).toLowerCase() + subject.slice(1);
}
