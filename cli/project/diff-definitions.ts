import { isDeepStrictEqual } from "node:util";
import { stableJson } from "../../plugin/index.ts";
import { diffLines } from "./diff-lines.ts";

/**
 * Lists the lines in which two texts of a definition differ. A definition with a single tool contains text and schemas
 * twice, for the service and for the tool; a change of both is shown once.
 */
export function diffDefinitions(before: string, after: string): readonly string[] {
  const lines = diffLines(withoutCopies(before), withoutCopies(after));
  return lines.length > 0 ? lines : diffLines(before, after);
}

const copies = ["description", "request-schema", "result-schema"] as const;

/** Removes the parts of a definition that its only tool repeats; any other text stays unchanged. */
function withoutCopies(text: string): string {
  let definition: { readonly [key: string]: unknown; readonly tools?: unknown } | null;
  try {
    definition = JSON.parse(text) as typeof definition;
  } catch {
    return text;
  }
  const tools: readonly unknown[] = Array.isArray(definition?.tools) ? definition.tools : [];
  const [tool, ...others] = tools as readonly (Readonly<Record<string, unknown>> | null)[];
  if (!definition || !tool || others.length > 0) return text;
  const isCopy = (key: string): boolean =>
    copies.some((one) => one === key) && isDeepStrictEqual(definition[key], tool[key]);
  return stableJson(Object.fromEntries(Object.entries(definition).filter(([key]) => !isCopy(key))));
}
