import type { Explainer } from "./explain-values.ts";

const made: { explainer?: Explainer; loading?: Promise<Explainer> } = {};

/**
 * Loads the code that explains values which do not match their schema; returns a promise only until the code is loaded.
 */
export function loadExplainer(): Explainer | Promise<Explainer> {
  return made.explainer ?? (made.loading ??= load());
}

async function load(): Promise<Explainer> {
  try {
    return (made.explainer = (await import("./explain-values.ts")).explainer);
  } finally {
    // A failed load is forgotten, so that the next call retries.
    delete made.loading;
  }
}
