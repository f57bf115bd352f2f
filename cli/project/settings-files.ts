import { basename } from "node:path";

/** Files in the folder of a package, existing or not, that can contain options of its tools. */
export const settingsFiles: readonly string[] = [
  "package.json",
  "tsconfig.json",
  ...["ts", "mts", "js", "mjs", "json"].map((extension) => `tenon.config.${extension}`),
];

/** True for a file with options of a project; those of installed packages do not count. */
export function isSettings(file: string): boolean {
  const name = /^(?:package\.json|tsconfig.*\.json|\.?tenon(?:rc|\.config)(?:\..*)?)$/;
  return name.test(basename(file)) && !/[\\/]node_modules[\\/]/.test(file);
}
