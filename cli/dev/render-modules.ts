import { devCommonJsKey, keyExpression } from "../../runtime/contract/process-keys.ts";
import { rolldown, type InputOptions, type OutputAsset, type OutputChunk, type Plugin } from "rolldown";
import { processModule } from "./process-module.ts";
import type { Target, Targets } from "./targets.ts";
import { moduleRunnerTransform } from "rolldown/experimental";

/** A project module as the body of a function, with placeholders for the imported paths. */
export interface RenderedModule {
  /** Absolute path of its source. */
  readonly id: string;
  readonly code: string;
  /** Source map as JSON; empty when no source code remains. */
  readonly map: string;
  /** Its imports, except Node's builtins and tenon's runtime. */
  readonly targets: readonly Target[];
}

/** Modules that were rendered together, and files that they share: helpers of the bundler, and assets. */
export interface Rendered {
  readonly modules: readonly RenderedModule[];
  readonly others: readonly (OutputChunk | OutputAsset)[];
}

/** Options that all builds of `tenon dev` share. */
export type DevInput = Pick<InputOptions, "cwd" | "platform" | "transform" | "onLog"> & {
  readonly plugins: readonly Plugin[];
};

const commonJsImport = /^\0tenon-dev-(.*)\.cjs$/;

/** Expression by which a module accesses the CommonJS values of packages. */
export const commonJsValues: string = `globalThis[${keyExpression(devCommonJsKey)}]`;

/** Renders each module separately: its imports are not bundled. */
export async function renderModules(
  ids: readonly string[],
  targets: Targets,
  input: DevInput,
  dir: string,
): Promise<Rendered> {
  const build = await rolldown({
    ...input,
    input: Object.fromEntries(ids.map((id, index) => [`module-${index}`, id])),
    plugins: [outside(targets), ...input.plugins, functionBodies()],
    preserveEntrySignatures: "strict",
  });
  try {
    const { output } = await build.generate({
      dir,
      format: "esm",
      sourcemap: "hidden",
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs",
    });
    const isModule = (file: OutputChunk | OutputAsset): file is OutputChunk => file.type === "chunk" && file.isEntry;
    return {
      modules: output.filter(isModule).map((chunk) => ({
        id: chunk.facadeModuleId ?? "",
        code: chunk.code,
        map: chunk.map?.toString() ?? "",
        targets: targets.tokensIn(chunk.code).flatMap((token) => targets.byToken(token) ?? []),
      })),
      others: output.filter((file) => !isModule(file) && !file.fileName.endsWith(".map")),
    };
  } finally {
    await build.close();
  }
}

/**
 * Makes every import of a project module external. Modules that the running process has loaded already are imported
 * from their installed location. A CommonJS value is read in the importing module.
 */
function outside(targets: Targets): Plugin {
  return {
    name: "tenon-dev-outside",
    resolveId: {
      order: "pre",
      async handler(specifier, importer, { kind }) {
        if (importer === undefined || importer.startsWith("\0")) return undefined;
        const shared = processModule(specifier, kind === "require-call");
        if (shared !== undefined) return { id: shared, external: true };
        const resolved = await this.resolve(specifier, importer, { kind, skipSelf: true });
        if (resolved === null || resolved.external) return resolved ?? undefined;
        const target = targets.of(resolved.id, kind === "dynamic-import");
        return target.kind === "commonjs" ? `\0tenon-dev-${target.token}.cjs` : { id: target.token, external: true };
      },
    },
    load: {
      filter: { id: commonJsImport },
      handler: (id) => `module.exports = ${commonJsValues}["${commonJsImport.exec(id)?.[1] ?? ""}"];`,
    },
  };
}

/** Rewrites each module to the body of a function, in which each import becomes an awaited call. */
function functionBodies(): Plugin {
  return {
    name: "tenon-dev-function-bodies",
    renderChunk: {
      order: "post",
      async handler(code, { isEntry, fileName }) {
        if (!isEntry) return undefined;
        const { code: body, map, errors } = await moduleRunnerTransform(fileName, code, { sourcemap: true });
        const [error] = errors;
        if (error !== undefined) throw new Error(error.message);
        return { code: body, map: JSON.stringify(map) };
      },
    },
  };
}
