import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Finding } from "../finding.ts";
import { nextUrn } from "../urns.ts";

/** A text that was replaced, or the reason why it was not. */
export interface ContractFix {
  /** Path relative to the project. */
  readonly file: string;
  readonly line?: number;
  readonly before: string;
  readonly after: string;
  /** Absent when the file was written. */
  readonly problem?: string;
}

/** Writes the next URN of each model that has changed without a new URN into the sources. */
export function writeUrns(root: string, sources: readonly string[], found: readonly Finding[]): readonly ContractFix[] {
  const urns = found.filter(({ rule }) => rule === "urn-unchanged").flatMap((finding) => finding.urns ?? []);
  const own = sources.filter((file) => file.startsWith(root + sep) && !file.includes(`${sep}node_modules${sep}`));
  return [...new Set(urns)].flatMap((urn): readonly ContractFix[] => {
    const [before, after] = [urn, nextUrn(urn)];
    const written = own.flatMap((file) => replaceUrn(root, file, before, after));
    if (written.length > 0) return written;
    const problem = `no source of the project names it: write \`@schema ${after}\` at its model`;
    return [{ file: "", before, after, problem }];
  });
}

function replaceUrn(root: string, file: string, before: string, after: string): readonly ContractFix[] {
  const text = readFileSync(file, "utf8");
  // The URN must match as a whole, since another URN may contain it.
  const whole = new RegExp(`(?<![\\w:.-])${escaped(before)}(?![\\w-]|[.:][\\w-])`, "g");
  const lines = [...text.matchAll(whole)].map(({ index }) => text.slice(0, index).split("\n").length);
  if (lines.length === 0) return [];
  writeFileSync(
    file,
    text.replaceAll(whole, () => after),
  );
  return lines.map((line) => ({ file: relative(root, file).replaceAll("\\", "/"), line, before, after }));
}

/** Writes the version that the changes require into package.json, if the service's version comes from there. */
export function writeVersion(root: string, before: string, after: string): ContractFix {
  const file = join(root, "package.json");
  const fix = { file: "package.json", before, after };
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const found = new RegExp(`^(\\s*"version"\\s*:\\s*)"${escaped(before)}"`, "m");
  if (!found.test(text)) {
    return { ...fix, problem: "the version is not that of package.json: change it in `new Service({…})`" };
  }
  writeFileSync(
    file,
    text.replace(found, (_, head: string) => `${head}"${after}"`),
  );
  return fix;
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w\s]/g, String.raw`\$&`);
}
