import type { Plugin } from "rolldown";
import { isOwnFile } from "../../plugin/packages/own-module.ts";

/**
 * Leaves out the source maps of chunks in which only tenon's runtime and packages are: they are more than half of a
 * built service, and no line of the author's is in them.
 */
export const withoutRuntimeMaps: Plugin = {
  name: "tenon-without-runtime-maps",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk" || chunk.moduleIds.some(isOfAuthor)) continue;
      chunk.code = chunk.code.replace(/\n\/\/# sourceMappingURL=[^\n]*\s*$/, "\n");
      delete bundle[`${chunk.fileName}.map`];
    }
  },
};

function isOfAuthor(id: string): boolean {
  return !isOwnFile(id) && !id.startsWith("\0") && !/[\\/]node_modules[\\/]/.test(id);
}
