import type { Diagnostic } from "./diagnostic.ts";

/** Codes of findings that are frequent in a new file, always with the same text. */
const gathered: ReadonlySet<string> = new Set(["TN201", "TN203", "TN606", "TN608"]);

/**
 * Combines warnings of one kind into one per file, at the first position and with their number: twenty fields without a
 * text would hide everything else. Errors stay as they are.
 */
export function gatherByFile(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  const keyOf = ({ code, level, file = "" }: Diagnostic): string | undefined =>
    level !== "error" && gathered.has(code) ? `${code} ${file}` : undefined;
  for (const one of diagnostics) {
    const key = keyOf(one);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return diagnostics.flatMap((one) => {
    const group = groups.get(keyOf(one) ?? "");
    if (group === undefined) return [one];
    const places = new Set(group.map(({ line, column }) => `${line}:${column}`)).size;
    const first = group.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))[0];
    if (one !== first) return [];
    return [
      places === 1
        ? one
        : { ...one, message: `${one.message} ${places - 1} more in this file (\`--verbose\` names each).` },
    ];
  });
}
