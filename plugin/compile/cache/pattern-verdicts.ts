import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { isLarge, type PatternVerdict, type PatternVerdicts } from "../../read/base/judge-pattern.ts";
import { replaceFile } from "./replace-file.ts";

/** Version of the verdicts; must be increased whenever patterns are judged differently. */
const edition = 1;

/**
 * Verdicts on patterns in a file, so that a pattern is judged once and not after every edit. `tell` is called before a
 * judgement that may take up to two seconds.
 */
export function openPatternVerdicts(file: string | undefined, tell: (line: string) => void): PatternVerdicts {
  const known = new Map<string, PatternVerdict>(Object.entries(readVerdicts(file)));
  return {
    get: (pattern) => known.get(pattern),
    set(pattern, verdict) {
      known.set(pattern, verdict);
      if (file !== undefined) write(file, Object.fromEntries(known));
    },
    begin(pattern) {
      if (isLarge(pattern)) tell(`judging the pattern ${pattern}, which takes up to two seconds, once`);
    },
  };
}

function readVerdicts(file: string | undefined): Readonly<Record<string, PatternVerdict>> {
  if (file === undefined) return {};
  try {
    const kept = JSON.parse(readFileSync(file, "utf8")) as { edition?: unknown; verdicts?: unknown };
    return kept.edition === edition ? { ...(kept.verdicts as Record<string, PatternVerdict>) } : {};
  } catch {
    return {};
  }
}

/** Writes the verdicts. Errors are ignored, since without a cache patterns are judged again. */
function write(file: string, verdicts: Readonly<Record<string, PatternVerdict>>): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, JSON.stringify({ edition, verdicts }));
  } catch {
    // The error is ignored: the next build judges the patterns again.
  }
}
