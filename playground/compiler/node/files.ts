import { createMemoryFiles, type MemoryFiles } from "../memory-files.ts";
import { packageFolder } from "../places.ts";

/**
 * The file system of the worker. It is state of the module, as that of a process is: the modules of the plugin reach it
 * by `node:fs`. A file of the runtime is there from the start, since the plugin searches for it when it is loaded.
 */
export const files: MemoryFiles = createMemoryFiles();
files.set(`${packageFolder}/dist/runtime/internal.js`, "");
