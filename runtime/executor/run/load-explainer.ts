import type { Explainer } from "./explain-values.ts";

const made: { explainer?: Explainer; loading?: Promise<Explainer> } = {};

/** What explains a value that does not match its schema; a promise only until it is loaded. */
export function loadExplainer(): Explainer | Promise<Explainer> {
  return made.explainer ?? (made.loading ??= load());
}

async function load(): Promise<Explainer> {
  try {
    return (made.explainer = (await import("./explain-values.ts")).explainer);
  } finally {
    // The next one tries again.
    delete made.loading;
  }
}
