/** Stand-in for the part of `node:url` that the plugin uses; paths in the worker have no special characters. */
export function fileURLToPath(url: string | URL): string {
  return new URL(url).pathname;
}

export function pathToFileURL(path: string): URL {
  return new URL(`file://${path}`);
}
