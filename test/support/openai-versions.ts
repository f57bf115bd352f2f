/** The versions of the package `openai` that are supported, and the modules from which tests import them. */
export const openaiVersions: readonly (readonly [version: number, module: string])[] = [
  [7, "openai"],
  [6, new URL("../versions/openai-6/node_modules/openai/index.mjs", import.meta.url).href],
];
