import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Matches the names of files that a build writes for a chunk: a hash is in each. */
const chunkFile = /-[\w-]{8}\.(?:mjs|js|cache)(?:\.map)?$/;
/** Finds the hashes of chunks in code. */
const hashes = /-([\w-]{8})\.(?:mjs|js|cache)\b/g;
/** Ending of the files that list the chunks which the last build of an entry has replaced. */
const replacedEnding = ".replaced";

/**
 * Name of the chunk that a file belongs to: the name of the file without ending. A chunk can consist of three files: a
 * script, its compiled code, and a module that loads them.
 */
export function chunkOf(file: string): string {
  return basename(file).replace(/\.\w+(?:\.map)?$/, "");
}

/** Names of the chunks that the entries in a folder load. */
export function usedChunks(outdir: string): ReadonlySet<string> {
  const chunks = [...filesOfChunks(outdir)];
  const ofHash = Map.groupBy(chunks, ([chunk]) => chunk.slice(-8));
  const used = new Set<string>();
  const unread = existsSync(outdir) ? readdirSync(outdir).filter((name) => name.endsWith(".mjs")) : [];
  for (let file = unread.pop(); file !== undefined; file = unread.pop()) {
    for (const [, hash = ""] of readFileSync(join(outdir, file), "utf8").matchAll(hashes)) {
      for (const [chunk, files] of ofHash.get(hash) ?? []) {
        if (used.has(chunk)) continue;
        used.add(chunk);
        unread.push(...files.filter((one) => /\.m?js$/.test(one)).map((one) => `chunks/${one}`));
      }
    }
  }
  return used;
}

/**
 * Removes chunks that no entry loads, since their names contain a hash and are not written again. Those that this build
 * has replaced stay until it replaces others: a service of the build before may run and load them. What a build beside
 * this one has written since it began stays as well.
 *
 * @param entries Files of the entries that this build has written
 * @param before The chunks that entries have loaded before this build
 */
export function removeOldChunks(
  outdir: string,
  entries: readonly string[],
  before: ReadonlySet<string>,
  begun: number,
): void {
  const folder = join(outdir, "chunks");
  if (!existsSync(folder)) return;
  const used = usedChunks(outdir);
  const replaced = [...before].filter((chunk) => !used.has(chunk));
  if (replaced.length > 0)
    for (const entry of entries) writeFileSync(join(folder, entry + replacedEnding), replaced.join("\n"));
  const lists = readdirSync(folder).filter((name) => name.endsWith(replacedEnding));
  const kept = new Set(lists.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n")));
  for (const [chunk, files] of filesOfChunks(outdir)) {
    if (used.has(chunk) || kept.has(chunk)) continue;
    for (const file of files.map((name) => join(folder, name)))
      if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? begun) < begun) rmSync(file, { force: true });
  }
}

/**
 * Removes what is left of chunks that an earlier build has written in another form, such as their compiled code.
 *
 * @param written All files of this build, apart from source maps
 */
export function removeOldForms(outdir: string, written: readonly { readonly file: string }[]): void {
  const names = new Set(written.map(({ file }) => basename(file)));
  const chunks = filesOfChunks(outdir);
  for (const name of names)
    for (const file of chunks.get(chunkOf(name)) ?? [])
      if (!names.has(file.replace(/\.map$/, ""))) rmSync(join(outdir, "chunks", file), { force: true });
}

function filesOfChunks(outdir: string): ReadonlyMap<string, readonly string[]> {
  const folder = join(outdir, "chunks");
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => chunkFile.test(name)) : [];
  return Map.groupBy(files, chunkOf);
}
