import { afterEach, beforeEach, vi } from "vitest";

/** The versions of the package `openai` that are supported, and the modules from which tests import them. */
export const openaiVersions: readonly (readonly [version: number, module: string])[] = [
  [7, "openai"],
  [6, new URL("../versions/openai-6/node_modules/openai/index.mjs", import.meta.url).href],
];

/** Lets the code under test import `openai` from another module; for the tests of one `describe`. */
export function importOpenaiFrom(module: string): void {
  beforeEach(() => {
    if (module !== "openai") vi.doMock("openai", () => import(module));
  });
  afterEach(() => vi.doUnmock("openai"));
}
