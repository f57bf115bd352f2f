import type { JsonObject } from "../../../contract/contract.ts";
import { matchUri, parseUriTemplate } from "../../../contract/definition/uri-template.ts";
import type { Tool } from "../../../service/tools/tool.ts";

/** A function with `@resource`. */
export interface ResourceEntry {
  readonly tool: Tool;
  /** Address or template, as the author has written it. */
  readonly uri: string;
  readonly isTemplate: boolean;
  /** The values of the template in an address; undefined when it does not match. */
  readonly match: (uri: string) => JsonObject | undefined;
  /**
   * Specificity of a template: the number of its characters that are not variables; a variable that may contain slashes
   * subtracts half of one. Unlimited for an address.
   */
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

/** Maximum length of an address: each template looks at all of it, and a message may have a million characters. */
const longestAddress = 8192;

/**
 * Creates a function that finds the resource of an address, for reads and for their scopes. An exact address takes
 * precedence over templates, and a template with more fixed text over others.
 */
export function resourceFinder(
  entries: readonly ResourceEntry[],
): (uri: string) => { readonly tool: Tool; readonly args: JsonObject } | undefined {
  const order = entries.toSorted((one, other) => (one.rank === other.rank ? 0 : other.rank - one.rank));
  return (uri) => {
    if (uri.length > longestAddress) return undefined;
    for (const { tool, match } of order) {
      const args = match(uri);
      if (args !== undefined) return { tool, args };
    }
    return undefined;
  };
}
