import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { codes } from "../../diagnostics/codes.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** Finds the package of a file; results are cached by folder. */
export interface PackageNames {
  /** Returns the name in the nearest package.json that has one. */
  nameOf(file: string): string | undefined;
  /** Returns the folder of the nearest package.json. */
  folderOf(file: string): string | undefined;
}

/** Creates an empty cache of package names. */
export function packageNames(): PackageNames {
  const names = new Map<string, string | undefined>();
  const ofFolder = (folder: string): string | undefined => {
    if (names.has(folder)) return names.get(folder);
    const parent = dirname(folder);
    const own = packageName(folder);
    const name = own !== undefined || parent === folder ? own : ofFolder(parent);
    names.set(folder, name);
    return name;
  };
  return {
    nameOf: (file) => ofFolder(dirname(file)),
    folderOf(file) {
      for (let folder = dirname(file.replaceAll("\\", "/")); ; folder = dirname(folder)) {
        if (existsSync(`${folder}/package.json`)) return folder;
        if (dirname(folder) === folder) return undefined;
      }
    },
  };
}

function packageName(folder: string): string | undefined {
  try {
    const name = (JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as { name?: unknown } | null)?.name;
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the namespace of derived URNs: the option, else the scope of the package, else the package's name. */
export function namespaceOf(root: string, given: string | undefined): string {
  const name = given ?? packageName(root) ?? "local";
  const part = given === undefined && name.startsWith("@") ? name.slice(1).replace(/\/.*$/, "") : name;
  return (
    part
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 32) || "local"
  );
}

/** Findings about the `rules` option. */
export function checkRules(rules: Readonly<Record<string, string>>): readonly Diagnostic[] {
  const known = new Set(Object.values(codes).flatMap((entry) => (entry.rule === undefined ? [] : [entry.rule])));
  const levels = new Set(["error", "warn", "off"]);
  return Object.entries(rules).flatMap(([rule, level]): Diagnostic[] => {
    if (!known.has(rule))
      return [
        {
          code: "TN404",
          level: "error",
          message: `There is no rule \`${rule}\`.`,
          fix: `one of ${[...known].map((name) => `\`${name}\``).join(", ")}`,
        },
      ];
    if (!levels.has(level))
      return [
        {
          code: "TN404",
          level: "error",
          message: `\`${level}\` is not a valid level for the rule \`${rule}\`.`,
          fix: "`error`, `warn` or `off`",
        },
      ];
    return [];
  });
}
