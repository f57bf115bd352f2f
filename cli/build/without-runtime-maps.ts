import type { Plugin } from "rolldown";
import { isOwnFile } from "../../plugin/packages/own-module.ts";

/**
 * Removes the source maps of chunks that contain only tenon's runtime and packages: they are more than half of the size
 * of a built service, and contain no line of the author's code.
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
