import type { Promises } from "../../promise.ts";

const gives = (call: string, value: unknown, request: object = {}): Promises[string] => ({
  steps: [{ call, request, out: { value } }],
});

export const promises: Promises = {
  "Top-level `await`": gives("topLevelAwait", ["ready"]),
  "`await import()` of built-in modules, with their names": gives("importBuiltins", [
    "function",
    "function",
    "ca9781",
    "b",
    "function",
    "true",
  ]),
  "`await import()` of a module of the service": gives("importLater", "later"),
  "`@withSchema` on a class with initialisers": gives("movePoint", { x: 3, y: 8 }, { x: 2 }),
  "A worker thread of the author's own": gives("useWorker", 42, { n: 21 }),
  "An `AsyncLocalStorage` of the author's own": gives("keepContext", "kept"),
  "`createRequire(import.meta.url)`": gives("requireBuiltin", "/"),
  "`import.meta.filename` and `import.meta.dirname`": gives("ownPlace", [true, true, true]),
  "Private members and static blocks": gives("usePrivate", ["true", "false", "true"]),
  "Regular expressions with the flag `v`, and Unicode": gives("ownNames", ["RangeError", "2", "2026"]),
};
