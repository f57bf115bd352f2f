/** The part of an output that Rollup, Rolldown and Vite share. */
export interface OutputFile {
  readonly type: "chunk" | "asset";
  readonly fileName: string;
  readonly isEntry?: boolean;
  /** Statically imported files. */
  readonly imports?: readonly string[];
  readonly moduleIds?: readonly string[];
  code?: string;
}

/**
 * Removes the banner from chunks that do not run together with a tool, and from chunks that run after another chunk
 * with it, since every start would read it again: chunks loaded by `import()`, and chunks that import another. Line
 * numbers do not change, because source maps count lines.
 */
export function dropBanners(
  bundle: Readonly<Record<string, OutputFile>>,
  banner: string,
  runsBehindTools: (file: OutputFile) => boolean,
): void {
  const early = new Set<string>();
  const enter = (file: OutputFile | undefined): void => {
    if (file === undefined || early.has(file.fileName)) return;
    early.add(file.fileName);
    for (const name of file.imports ?? []) enter(bundle[name]);
  };
  const files = Object.values(bundle);
  for (const file of files) if (file.isEntry === true) enter(file);
  const lines = banner.replaceAll(/[^\n]+/g, "");
  for (const file of files) {
    if (early.has(file.fileName) && !runsBehindAnother(file, bundle) && runsBehindTools(file)) continue;
    if (file.code?.startsWith(banner) === true) file.code = lines + file.code.slice(banner.length);
  }
}

/**
 * True when the imports of a chunk run before the chunk itself; false in a circular import, in which any chunk may be
 * the first.
 */
function runsBehindAnother(chunk: OutputFile, bundle: Readonly<Record<string, OutputFile>>): boolean {
  const below = new Set<string>();
  const enter = ({ imports = [] }: OutputFile): void => {
    for (const name of imports) {
      const file = bundle[name];
      if (file === undefined || below.has(name)) continue;
      below.add(name);
      enter(file);
    }
  };
  enter(chunk);
  return below.size > 0 && !below.has(chunk.fileName);
}
