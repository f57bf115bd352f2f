import type { Plugin } from "rolldown";
import { readStyle, type StyleText } from "./style-text.ts";
import type { ViewProblem } from "./view-problem.ts";

const preprocessed = /\.(?:scss|sass|less|styl)$/;

/** Style sheets of a script, in the order in which its modules run. */
export interface FoundStyles {
  readonly sheets: StyleText[];
  readonly problems: ViewProblem[];
}

/** Removes style sheets from the script that begins with the module `entry`, and collects them. */
export function styleFiles(entry: string, { sheets, problems }: FoundStyles): Plugin {
  const read = new Map<string, StyleText>();
  return {
    name: "tenon-view-style",
    load(id) {
      if (preprocessed.test(id)) {
        const message = "Only CSS itself can be part of a view.";
        problems.push({ message, fix: "compile this file to CSS before the build, and import that", file: id });
        return { code: "", moduleType: "js" };
      }
      if (!id.endsWith(".css")) return undefined;
      const sheet = readStyle(id);
      read.set(id, sheet);
      problems.push(...sheet.problems);
      return { code: "", moduleSideEffects: true, moduleType: "js" };
    },
    // Modules are loaded concurrently, in an order that differs between builds.
    renderStart() {
      const seen = new Set<string>();
      const visit = (id: string): void => {
        if (seen.has(id)) return;
        seen.add(id);
        const module = this.getModuleInfo(id);
        module?.importedIds.forEach(visit);
        const sheet = read.get(id);
        if (sheet !== undefined) sheets.push(sheet);
        module?.dynamicallyImportedIds.forEach(visit);
      };
      visit(entry);
    },
  };
}
