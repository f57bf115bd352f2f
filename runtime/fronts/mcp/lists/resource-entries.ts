import type { JsonObject } from "../../../contract/contract.ts";
import { matchUri, parseUriTemplate } from "../../../contract/definition/uri-template.ts";
import type { Tool } from "../../../service/tools/tool.ts";

/** A function with `@resource`. */
export interface ResourceEntry {
  readonly tool: Tool;
  /** As written: an address, or a template. */
  readonly uri: string;
  readonly isTemplate: boolean;
  /** The values of the template in an address; undefined when it does not match. */
  readonly match: (uri: string) => JsonObject | undefined;
  /** Characters that are not variables, where one that may have slashes costs half of one; an address has no limit. */
  readonly rank: number;
}

export function resourceEntries(resources: readonly Tool[]): readonly ResourceEntry[] {
  return resources.map((tool) => {
    const { uri = "" } = tool.definition;
    const parts = parseUriTemplate(uri) ?? [{ text: uri }];
    const isTemplate = parts.some((part) => "name" in part);
    const weights = parts.map((part) => ("text" in part ? part.text.length : part.form === "path" ? -0.5 : 0));
    const rank = isTemplate ? weights.reduce((sum, weight) => sum + weight) : Infinity;
    return { tool, uri, isTemplate, match: (address) => matchUri(parts, address), rank };
  });
}

/**
 * Finds the resource of an address, for reads and for their scopes: an address itself before templates, and of these
 * the one with more text of its own.
 */
export function resourceFinder(
  entries: readonly ResourceEntry[],
): (uri: string) => { readonly tool: Tool; readonly args: JsonObject } | undefined {
  const order = entries.toSorted((one, other) => (one.rank === other.rank ? 0 : other.rank - one.rank));
  return (uri) => {
    for (const { tool, match } of order) {
      const args = match(uri);
      if (args !== undefined) return { tool, args };
    }
    return undefined;
  };
}
