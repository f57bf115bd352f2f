import { rolldown, type OutputChunk, type Plugin } from "rolldown";
import { processModule } from "./process-module.ts";
import { commonJsValues, type DevInput } from "./render-modules.ts";
import type { Target, Targets } from "./targets.ts";

/** The bundled packages of a service; they do not change with the author's code. */
export interface BundledPackages {
  /** Path of each target's file by placeholder, relative to the output folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Absolute paths and virtual ids of all modules in the bundles. */
  readonly modules: readonly string[];
}

/** Bundles all package imports of project modules together, so that shared code exists once. */
export async function bundlePackages(
  used: readonly Target[],
  targets: Targets,
  input: DevInput,
  dir: string,
): Promise<BundledPackages> {
  if (used.length === 0) return { files: new Map(), modules: [] };
  const modules = new Set<string>();
  const build = await rolldown({
    ...input,
    input: Object.fromEntries(used.map(({ kind, token }) => [token, kind === "package" ? token : `\0${token}.mjs`])),
    plugins: [entries(targets, modules), ...input.plugins],
    preserveEntrySignatures: "strict",
    // Tree shaking would take time at each start of `tenon dev` without saving any.
    treeshake: false,
  });
  try {
    const { output } = await build.write({
      dir,
      format: "esm",
      sourcemap: true,
      entryFileNames: "chunks/package-[hash].mjs",
      chunkFileNames: "chunks/[name]-[hash].mjs",
    });
    const chunks = output.filter((file): file is OutputChunk => file.type === "chunk" && file.isEntry);
    return { files: new Map(chunks.map((chunk) => [chunk.name, chunk.fileName])), modules: [...modules] };
  } finally {
    await build.close();
  }
}

/** The entries: packages themselves, and small modules that export CommonJS values. */
function entries(targets: Targets, modules: Set<string>): Plugin {
  const idOf = (token: string): string | undefined => targets.byToken(token)?.id;
  return {
    name: "tenon-dev-packages",
    resolveId: {
      order: "pre",
      handler(specifier, _importer, { kind }) {
        if (specifier.startsWith("\0tenon-dev-")) return specifier;
        const shared = processModule(specifier, kind === "require-call");
        return shared === undefined ? idOf(specifier) : { id: shared, external: true };
      },
    },
    load: {
      filter: { id: /^\0tenon-dev-/ },
      handler(id) {
        const token = id.slice(1, -".mjs".length);
        if (targets.byToken(token)?.kind === "lazy-commonjs") return `export const load = () => import("${token}");`;
        const key = '"./chunks/" + import.meta.url.split("/").pop()';
        return `(${commonJsValues} ??= {})[${key}] = require("${token}");`;
      },
    },
    moduleParsed: ({ id }) => void modules.add(id),
  };
}
