import { relative } from "node:path";

/** Path of a file relative to the project's folder, with forward slashes. */
export function relativeFile(root: string, file: string): string {
  // Paths below the folder, which are nearly all, are handled without `relative`, which is slow.
  if (file.startsWith(`${root}/`) && !file.includes("/../") && !file.includes("/./"))
    return file.slice(root.length + 1);
  return relative(root, file).replaceAll("\\", "/");
}
