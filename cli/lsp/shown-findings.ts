import type { Diagnostic as Shown } from "vscode-languageserver/node";
import type { Published } from "./published.ts";

/** The findings that an editor shows. If projects share a file, each has its own findings in it. */
export interface ShownFindings {
  /** Replaces the shown findings of a project, by the path of their file. */
  show(root: string, found: ReadonlyMap<string, readonly Published[]>): void;
  of(path: string): readonly Published[];
}

/** @param uriOf The URI by which the editor knows a file at present */
export function createShownFindings(
  publish: (uri: string, diagnostics: readonly Shown[]) => void,
  uriOf: (path: string) => string,
): ShownFindings {
  /** Findings by path, and by the folder of the project. */
  const shown = new Map<string, Map<string, readonly Published[]>>();
  /** URIs of the shown files: a document may be opened under another one than its file had. */
  const uris = new Map<string, string>();

  function of(path: string): readonly Published[] {
    const all = [...(shown.get(path)?.values() ?? [])].flat();
    return [...new Map(all.map((one) => [JSON.stringify(one.diagnostic), one])).values()];
  }

  return {
    show(root, found) {
      const paths = new Set([...found.keys(), ...[...shown].flatMap(([path, by]) => (by.has(root) ? path : []))]);
      for (const path of paths) {
        const by = shown.get(path) ?? new Map<string, readonly Published[]>();
        const next = found.get(path);
        if (next === undefined) by.delete(root);
        else by.set(root, next);
        if (by.size === 0) shown.delete(path);
        else shown.set(path, by);
        const [before, uri] = [uris.get(path), uriOf(path)];
        // The old URI is cleared first, since an editor may take both for the same file.
        if (before !== undefined && before !== uri) publish(before, []);
        if (by.size === 0) uris.delete(path);
        else uris.set(path, uri);
        publish(
          uri,
          of(path).map(({ diagnostic }) => diagnostic),
        );
      }
    },
    of,
  };
}
