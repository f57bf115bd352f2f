import type { JsonValue } from "../../../contract/contract.ts";
import { isArtifactUrn } from "../../../outside/platform/artifacts/artifact-urn.ts";
import type { McpContent } from "../port/answers.ts";

/** Prefix of texts that may name an artifact. A search for the prefix is cheaper than a walk through a value. */
export const artifactPrefix = "urn:platform:artifact:";

/** Maximum number of links. More would fill a model's context with data that it can read in the result itself. */
const mostLinks = 20;

/**
 * Makes a link for each artifact that a result names, with the name of its field: hosts show the link, and can fetch
 * the artifact.
 */
export function artifactLinks(value: JsonValue): readonly McpContent[] {
  const found = new Map<string, string>();
  collect(value, "artifact", found);
  return [...found].map(([uri, name]) => ({ type: "resource_link", uri, name }));
}

function collect(value: JsonValue | undefined, name: string, found: Map<string, string>): void {
  if (found.size >= mostLinks) return;
  if (isArtifactUrn(value)) {
    if (!found.has(value)) found.set(value, name);
  } else if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) collect(item, name, found);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) collect(item as JsonValue, key, found);
  }
}
