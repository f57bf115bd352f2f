import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/** File of the package that names the packages of which parts are inside its files, each with its licence. */
export const thirdPartyFile = "dist/third-party-licences.txt";

/** Licences that ask for their text beside copies, and for nothing else. */
const licences: ReadonlySet<string> = new Set(["Apache-2.0", "BSD-2-Clause", "ISC", "MIT"]);

/** Folders of the packages that modules are from; `own`: a folder whose modules are ours. */
export function foldersOf(modules: readonly string[], own?: string): readonly string[] {
  const theirs = own === undefined ? modules : modules.filter((id) => !id.startsWith(own + sep));
  const folders = theirs.flatMap((id) => /^(?:.*[\\/])?node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []);
  return [...new Set(folders)].toSorted();
}

/** A module of texts that a bundler made. */
export interface MadeModule {
  readonly code: string;
  /** Folders of the packages of which it has parts. */
  readonly folders: readonly string[];
}

export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Text of the licence. */
  readonly text: string;
}

/** Reads the package in a folder. Throws when its licence asks for more than its text. */
export function thirdPartyIn(folder: string): ThirdParty {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as ThirdParty;
  const [file] = globSync("LICEN[CS]E*", { cwd: folder });
  if (!licences.has(license) || file === undefined)
    throw new Error(`${name} has the licence ${license}, whose text is not known to be enough.`);
  return { name, version, license, text: readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim() };
}

/** Names packages once, with the text of each licence and all packages that have it. */
export function thirdPartyText(folders: Iterable<string>): string {
  const byText = new Map<string, string[]>();
  for (const folder of new Set(folders)) {
    const { name, version, license, text } = thirdPartyIn(folder);
    const line = `  ${name} ${version} (${license})`;
    const lines = byText.get(text) ?? [];
    if (!lines.includes(line)) byText.set(text, [...lines, line]);
  }
  const parts = Array.from(byText, ([text, lines]) => `${lines.toSorted().join("\n")}\n\n${text}`);
  return `Parts of these packages are inside files of this one.\n\n${parts.toSorted().join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
