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
    const group = key === undefined ? undefined : groups.get(key);
    if (group !== undefined) group.push(one);
    else if (key !== undefined) groups.set(key, [one]);
  }
  const firsts = new Map([...groups.values()].map((group) => [group.reduce(earlier), group]));
  return diagnostics.flatMap((one) => {
    const group = firsts.get(one);
    if (group === undefined) return keyOf(one) === undefined ? [one] : [];
    const places = new Set(group.map(({ line, column }) => `${line}:${column}`)).size;
    return [
      places === 1
        ? one
        : { ...one, message: `${one.message} ${places - 1} more in this file (\`--verbose\` names each).` },
    ];
  });
}

function earlier(one: Diagnostic, other: Diagnostic): Diagnostic {
  const difference = (other.line ?? 0) - (one.line ?? 0) || (other.column ?? 0) - (one.column ?? 0);
  return difference < 0 ? other : one;
}
