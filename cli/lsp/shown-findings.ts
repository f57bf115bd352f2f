import type { Diagnostic as Shown } from "vscode-languageserver/node";
import type { Published } from "./published.ts";

/** The findings that an editor shows. If projects share a file, each has its own findings in it. */
export interface ShownFindings {
  /** Replaces the shown findings of a project, by the URI of their file. */
  show(root: string, found: ReadonlyMap<string, readonly Published[]>): void;
  of(uri: string): readonly Published[];
}

export function createShownFindings(publish: (uri: string, diagnostics: readonly Shown[]) => void): ShownFindings {
  /** Findings by URI, and by the folder of the project. */
  const shown = new Map<string, Map<string, readonly Published[]>>();

  function of(uri: string): readonly Published[] {
    const all = [...(shown.get(uri)?.values() ?? [])].flat();
    return [...new Map(all.map((one) => [JSON.stringify(one.diagnostic), one])).values()];
  }

  return {
    show(root, found) {
      const uris = new Set([...found.keys(), ...[...shown].flatMap(([uri, by]) => (by.has(root) ? uri : []))]);
      for (const uri of uris) {
        const by = shown.get(uri) ?? new Map<string, readonly Published[]>();
        const next = found.get(uri);
        if (next === undefined) by.delete(root);
        else by.set(root, next);
        if (by.size === 0) shown.delete(uri);
        else shown.set(uri, by);
        publish(
          uri,
          of(uri).map(({ diagnostic }) => diagnostic),
        );
      }
    },
    of,
  };
}
