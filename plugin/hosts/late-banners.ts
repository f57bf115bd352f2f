/** The part of an output that Rollup, Rolldown and Vite share. */
export interface OutputFile {
  readonly type: "chunk" | "asset";
  readonly fileName: string;
  readonly isEntry?: boolean;
  /** Files that are imported without waiting. */
  readonly imports?: readonly string[];
  code?: string;
}

/**
 * Takes the banner out of chunks that only an `import()` loads: what loads them has run it, and every start would read it
 * again. Its lines stay, because source maps count them.
 */
export function dropLateBanners(bundle: Readonly<Record<string, OutputFile>>, banner: string): void {
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
    if (!early.has(file.fileName) && file.code?.startsWith(banner) === true)
      file.code = lines + file.code.slice(banner.length);
  }
}
