/**
 * Names the files of a folder.
 * @tool
 * @readonly
 * @param folder - Path of the folder.
 */
export function listFiles(folder: string): string[] {
  return [folder];
}
