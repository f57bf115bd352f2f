/** Stand-ins for globals of Node that the plugin uses; the bundler inserts them. */
import { projectFolder } from "../places.ts";

export const process = {
  versions: { node: "24.0.0" },
  platform: "linux",
  env: {},
  cwd: (): string => projectFolder,
  stderr: { isTTY: false, write(): void {} },
};

export const Buffer = {
  byteLength: (text: string): number => new TextEncoder().encode(text).length,
  alloc: (size: number): Uint8Array => new Uint8Array(size),
};

/** Yields to messages that arrived meanwhile. */
export function setImmediate(task: () => void): void {
  setTimeout(task, 0);
}
