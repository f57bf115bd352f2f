import { basename, dirname } from "node:path";
import type { OutputBundle, OutputChunk, Plugin } from "rolldown";

/**
 * Makes chunks import shared chunks directly. Without this plugin, a module that is imported by `import()` and shares
 * its chunk with others gets a facade: a file that only re-exports it. Each file costs a start as much as 18 kB of
 * code. Chunks must keep the names of their exports.
 */
export const withoutFacades: Plugin = {
  name: "tenon-without-facades",
  generateBundle(_options, bundle) {
    for (const facade of chunksOf(bundle)) {
      const target = targetOf(facade, bundle);
      if (target === undefined) continue;
      for (const chunk of chunksOf(bundle)) {
        if (chunk.dynamicImports.includes(facade.fileName))
          chunk.code = chunk.code.replaceAll(basename(facade.fileName), basename(target.fileName));
      }
      delete bundle[facade.fileName];
    }
  },
};

/** The chunk behind a facade; undefined for any other chunk, and when the facade renames exports. */
function targetOf(chunk: OutputChunk, bundle: OutputBundle): OutputChunk | undefined {
  const { isDynamicEntry, isEntry, moduleIds, imports, exports: names } = chunk;
  const [only = ""] = imports;
  const target = bundle[only];
  if (!isDynamicEntry || isEntry || moduleIds.length > 0 || imports.length !== 1 || target?.type !== "chunk")
    return undefined;
  // An entry in another folder is not a facade.
  if (dirname(target.fileName) !== dirname(chunk.fileName)) return undefined;
  const isPlain = !/\bas\b/.test(chunk.code.slice(chunk.code.search(/^(?:import|export)\b/m)));
  return isPlain && names.every((name) => target.exports.includes(name)) ? target : undefined;
}

function chunksOf(bundle: OutputBundle): readonly OutputChunk[] {
  return Object.values(bundle).filter((file): file is OutputChunk => file.type === "chunk");
}
