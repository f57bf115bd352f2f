import { dirname, relative } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { readText } from "../read/base/read-text.ts";
import { listPackage, startsService } from "./find-tool-files.ts";
import { isTestFile } from "./other-entries.ts";

/** A service whose package is searched for tools. */
export interface UnreachedRequest {
  /** Absolute folder of its package. */
  readonly root: string;
  /** Absolute path of the file that constructs the service. */
  readonly service: string;
  /** Absolute paths of the modules in the build. */
  readonly loaded: ReadonlySet<string>;
  /** Texts that an editor shows instead of files, by absolute path. */
  readonly edits?: ReadonlyMap<string, string>;
}

/** Finds the files of a service's package that contain a tool and are not imported. */
export type UnreachedTools = (request: UnreachedRequest) => readonly Diagnostic[];

const exportedTool = /\/\*\*(?:(?!\*\/)[^])*?(?<![`\w])@(tool|prompt|resource)\b(?:(?!\*\/)[^])*\*\/\s*export\b/;

interface Found {
  readonly kind: string;
  readonly line: number;
  readonly startsService: boolean;
}

/**
 * Makes a finder of unimported tools. It reads a file again only if the file contained a tool before, so that a save in
 * watch mode reads next to nothing.
 *
 * @param irrelevant Absolute paths of files that are known to have no tool. They are not read; others are added.
 */
export function createUnreachedTools(irrelevant: Set<string> = new Set()): UnreachedTools {
  const look = (file: string): Found | undefined => {
    if (irrelevant.has(file)) return undefined;
    const found = lookInto(readText(file));
    if (found === undefined) irrelevant.add(file);
    return found;
  };
  return ({ root, service, loaded, edits }) => {
    const others = listPackage(root).sources.filter((file) => !loaded.has(file) && !isTestFile(relative(root, file)));
    const found = others.flatMap((file) => ({ file, ...(edits?.has(file) ? lookInto(edits.get(file)) : look(file)) }));
    // In a package of several services nothing is reported: only the author knows which service a tool belongs to.
    if (found.some((one) => one.startsService === true)) return [];
    const entry = edits?.get(service) ?? readText(service) ?? "";
    return found.flatMap(({ file, kind, line }) =>
      kind === undefined || line === undefined ? [] : [unreached(root, { file, kind, line }, service, entry)],
    );
  };
}

function lookInto(text: string | undefined): Found | undefined {
  if (text === undefined) return undefined;
  const [whole, kind] = exportedTool.exec(text) ?? [];
  if (whole === undefined) return startsService(text) ? { kind: "", line: 0, startsService: true } : undefined;
  const before = text.slice(0, text.indexOf(whole) + whole.length);
  return { kind: kind ?? "tool", line: before.split("\n").length, startsService: startsService(text) };
}

function unreached(
  root: string,
  { file, kind, line }: Pick<Found, "kind" | "line"> & { readonly file: string },
  service: string,
  entry: string,
): Diagnostic {
  const path = relative(dirname(service), file).replaceAll("\\", "/");
  const specifier = (path.startsWith(".") ? path : `./${path}`).replace(/tsx?$/, "js");
  return {
    code: "TN410",
    level: "warning",
    message: `This file holds a ${kind}, and the service imports it nowhere, so that it is not served.`,
    fix: `write \`import "${specifier}";\` in the file that makes the \`Service\``,
    file: relative(root, file).replaceAll("\\", "/"),
    line,
    column: 1,
    edit: {
      file: relative(root, service).replaceAll("\\", "/"),
      offset: endOfImports(entry),
      text: `import "${specifier}";\n`,
      choice: true,
    },
  };
}

/** Offset after the line of the last import; 0 for a file without imports. */
function endOfImports(text: string): number {
  const last = [...text.matchAll(/^(?:import\b|\} from\b)[^\n]*\n/gm)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
