import { lambdasKey } from "../../contract/process-keys.ts";
import type { ToolOptions } from "./tool-options.ts";

/** A function with its options from `platformLambda`. */
export interface LambdaOptions {
  readonly author: unknown;
  readonly options: ToolOptions;
}

/**
 * Marks a function as a tool, like the tag `@tool`, and gives its options:
 * `export const f = platformLambda(fn, { … })`. Returns the function unchanged. The definition is made at build time,
 * so the options that influence it must be literals.
 */
export function platformLambda<T extends (...args: never[]) => unknown>(author: T, options: ToolOptions = {}): T {
  if (typeof author !== "function") throw new TypeError("platformLambda takes the tool's function first.");
  lambdas().push({ author, options });
  return author;
}

/** All calls of {@link platformLambda} so far; shared by all copies of the package. */
export function lambdas(): LambdaOptions[] {
  const holder = globalThis as { [lambdasKey]?: LambdaOptions[] };
  return (holder[lambdasKey] ??= []);
}
