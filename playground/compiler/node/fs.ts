/** Stand-in for `node:fs` in the worker: the files in its memory. What writes is refused. */
import { files } from "./files.ts";

interface MemoryStats {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

interface MemoryDirent {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export function existsSync(path: string): boolean {
  return files.read(path) !== undefined || files.isFolder(path);
}

export function readFileSync(path: string | URL): string {
  const name = typeof path === "string" ? path : path.pathname;
  const text = files.read(name);
  if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${name}'`);
  return text;
}

export function statSync(path: string): MemoryStats | undefined {
  const text = files.read(path);
  if (text === undefined && !files.isFolder(path)) return undefined;
  return { mtimeMs: 0, ctimeMs: 0, size: text?.length ?? 0, ...kindOf(text === undefined) };
}

export function readdirSync(path: string, options?: { readonly withFileTypes?: boolean }): readonly unknown[] {
  const entries = files.list(path);
  if (entries === undefined) throw new Error(`ENOENT: no such file or directory, scandir '${path}'`);
  if (options?.withFileTypes !== true) return entries.map(({ name }) => name);
  return entries.map(({ name, isFolder }): MemoryDirent => ({ name, ...kindOf(isFolder) }));
}

export function realpathSync(path: string): string {
  return path;
}

function kindOf(isFolder: boolean): Omit<MemoryDirent, "name"> {
  return { isFile: () => !isFolder, isDirectory: () => isFolder, isSymbolicLink: () => false };
}

function refuse(): never {
  throw new Error("The playground writes no files.");
}

/** For the cache, which the playground does not have. */
export const promises = { open: refuse };

export {
  refuse as fstatSync,
  refuse as mkdirSync,
  refuse as renameSync,
  refuse as rmSync,
  refuse as unlinkSync,
  refuse as utimesSync,
  refuse as writeFileSync,
};
