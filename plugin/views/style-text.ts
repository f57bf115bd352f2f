import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { dataAddress } from "./asset.ts";
import { foreignProblem, isForeign, placeIn, type ViewProblem } from "./view-problem.ts";

/** A style sheet with all files to which it refers. */
export interface StyleText {
  readonly text: string;
  /** Absolute paths of all files in the style sheet. */
  readonly files: readonly string[];
  readonly problems: readonly ViewProblem[];
}

const reference =
  /\/\*[\s\S]*?\*\/|@import\s+(?:url\(\s*)?(?:"([^"]+)"|'([^']+)'|([^"'\s);]+))\s*\)?([^;]*);|\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s]+))\s*\)/g;

/** Reads a style sheet. Imported sheets, pictures and fonts beside it are inlined. */
export function readStyle(file: string): StyleText {
  return inlineStyle(readFileSync(file, "utf8"), file, [file]);
}

/** Inlines the files of a style text that is part of `file`. `above`: the files that import it. */
export function inlineStyle(source: string, file: string, above: readonly string[] = []): StyleText {
  const files = new Set(above);
  const problems: ViewProblem[] = [];
  const text = source.replace(reference, (whole: string, ...groups: readonly (string | number | undefined)[]) => {
    const [imported, address] = [groups[0] ?? groups[1] ?? groups[2], groups[4] ?? groups[5] ?? groups[6]];
    const place = { file, ...placeIn(source, groups[7] as number) };
    const named = String(imported ?? address ?? "");
    if (named === "" || named.startsWith("data:") || named.startsWith("#")) return whole;
    if (isForeign(named)) {
      problems.push(foreignProblem(named, place));
      return whole;
    }
    const path = resolve(dirname(file), named.replace(/[?#].*$/, ""));
    if (imported === undefined) {
      const data = dataAddress(path);
      if (data === undefined) problems.push(missing(named, place));
      else files.add(path);
      return data === undefined ? whole : `url("${data}")`;
    }
    if (files.has(path)) return "";
    try {
      const inner = inlineStyle(readFileSync(path, "utf8"), path, [...files, path]);
      for (const one of inner.files) files.add(one);
      problems.push(...inner.problems);
      const condition = String(groups[3] ?? "").trim();
      return condition === "" ? inner.text : `@media ${condition}{${inner.text}}`;
    } catch {
      problems.push(missing(named, place));
      return whole;
    }
  });
  return { text, files: [...files], problems };
}

function missing(named: string, place: Omit<ViewProblem, "message">): ViewProblem {
  return {
    message: `The style names \`${named}\`, and there is no such picture, font or style.`,
    fix: "paths are relative to the style; create the file, or correct the path",
    ...place,
  };
}
