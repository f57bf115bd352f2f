/** Folder of the project in the worker's memory. */
export const projectFolder = "/project";

/** Folder of the package, as it is installed in the project. */
export const packageFolder = "/project/node_modules/tenon";

/** Path of the visitor's file, relative to the project. */
export const toolFile = "src/tool.ts";

/** Path of the entry that imports it. */
export const serviceFile = "src/service.ts";
