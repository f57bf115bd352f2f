import { relative } from "node:path";
import { readText } from "../read/base/read-text.ts";
import { listPackage, startsService } from "./find-tool-files.ts";

const test = /[.-](?:test|spec|bench)\.[cm]?tsx?$|(?:^|[\\/])(?:tests?|__tests__|fixtures?)[\\/]/;

/** True for a test or its data, by its path from the package's folder. */
export function isTestFile(path: string): boolean {
  return test.test(path);
}

/** Files of a package that start a service and are not in the build, relative to its folder, without tests. */
export function otherEntries(root: string, built: ReadonlySet<string>): readonly string[] {
  return listPackage(root)
    .sources.filter((file) => !built.has(file) && !isTestFile(relative(root, file)))
    .filter((file) => startsService(readText(file) ?? ""))
    .map((file) => relative(root, file).replaceAll("\\", "/"))
    .toSorted();
}
