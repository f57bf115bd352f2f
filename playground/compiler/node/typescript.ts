/** Stand-in for `ts-morph`: the compiler that it contains, with the files of the worker in place of a disk. */
import ts from "@ts-morph/common/dist/typescript.js";
import { projectFolder } from "../places.ts";
import { files } from "./files.ts";

ts.setSys({
  args: [],
  newLine: "\n",
  useCaseSensitiveFileNames: true,
  getCurrentDirectory: () => projectFolder,
  fileExists: (path) => files.read(path) !== undefined,
  readFile: (path) => files.read(path),
  directoryExists: (path) => files.isFolder(path),
  getDirectories: (path) => (files.list(path) ?? []).flatMap(({ name, isFolder }) => (isFolder ? [name] : [])),
  readDirectory: (path) => files.below(path).filter((one) => !one.includes("/node_modules/") && isSource(one)),
  realpath: (path) => path,
});

function isSource(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path);
}

export { ts };
