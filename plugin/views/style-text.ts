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

/** Comments, imports, `url()`, and addresses in `image-set()` that are strings alone. */
const reference =
  /\/\*[\s\S]*?\*\/|@import\s*(?:url\(\s*)?(?:"([^"]+)"|'([^']+)'|([^"'\s);]+))\s*\)?([^;]*)(?:;|$)|\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s]+))\s*\)|(?<=\bimage-set\((?:[^;{}]*,)?\s*)(?:"([^"]*)"|'([^']*)')/gi;

/** Reads a style sheet. Imported sheets, pictures and fonts beside it are inlined. */
export function readStyle(file: string): StyleText {
  return inlineStyle(readFileSync(file, "utf8"), file, [file]);
}

/** Inlines the files of a style text that is part of `file`. `above`: the files that import it. */
export function inlineStyle(source: string, file: string, above: readonly string[] = []): StyleText {
  const files = new Set(above);
  const problems: ViewProblem[] = [];
  const text = source.replace(reference, (whole: string, ...groups: readonly (string | number | undefined)[]) => {
    const imported = groups[0] ?? groups[1] ?? groups[2];
    const place = { file, ...placeIn(source, groups[9] as number) };
    const named = String(imported ?? groups.slice(4, 9).find((group) => group !== undefined) ?? "");
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
      return underConditions(inner.text, String(groups[3] ?? ""));
    } catch {
      problems.push(missing(named, place));
      return whole;
    }
  });
  return { text, files: [...files], problems };
}

/** Layer and `supports()` of an import, before its media query. Parentheses may have three levels. */
const importConditions =
  /^\s*(?:(layer)(?:\(([^)]*)\)|(?=\s|$)))?\s*(?:supports(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)))?\s*([\s\S]*?)\s*$/i;

/** Encloses an imported sheet in rules that mean the same as what follows the address of its import. */
function underConditions(text: string, conditions: string): string {
  const [, layer, name = "", supports, media = ""] = importConditions.exec(conditions) ?? [];
  const layered = layer === undefined ? text : `@layer ${name.trim()}{${text}}`;
  const queried = media === "" ? layered : `@media ${media}{${layered}}`;
  return supports === undefined ? queried : `@supports ${supports}{${queried}}`;
}

function missing(named: string, place: Omit<ViewProblem, "message">): ViewProblem {
  return {
    message: `The style names \`${named}\`, and there is no such picture, font or style.`,
    fix: "paths are relative to the style; create the file, or correct the path",
    ...place,
  };
}
