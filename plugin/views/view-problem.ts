import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/** A reason why a view cannot be built. */
export interface ViewProblem {
  readonly message: string;
  readonly fix?: string;
  /** Absolute. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
  readonly lineText?: string;
}

/** The diagnostic for a problem. `name` converts a path to one relative to the project. */
export function viewDiagnostic({ file, ...problem }: ViewProblem, name: (file: string) => string): Diagnostic {
  return { code: "TN121", level: "error", ...problem, file: name(file) };
}

/** Returns the position of an offset in a text. */
export function placeIn(text: string, offset: number): Pick<ViewProblem, "line" | "column" | "lineText"> {
  const before = text.slice(0, offset).split("\n");
  const line = before.length;
  return { line, column: (before.at(-1)?.length ?? 0) + 1, lineText: text.split("\n")[line - 1] ?? "" };
}

/** The problem of an address on another origin. */
export function foreignProblem(address: string, place: Omit<ViewProblem, "message" | "fix">): ViewProblem {
  return {
    message: `The view loads \`${address}\`, and hosts allow no other origin.`,
    fix: "put a copy beside the view, install the package, or have the tool return the data",
    ...place,
  };
}

/** True for an address with a host. */
export function isForeign(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(address.trim());
}
