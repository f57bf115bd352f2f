import { createRequire, isBuiltin } from "node:module";
import type { Plugin } from "esbuild";

/** Builtins that a module may need to define its schemas. None of them starts anything. */
const safe =
  /^(?:node:)?(?:assert|async_hooks|buffer|crypto|events|fs|module|os|path|perf_hooks|process|stream|string_decoder|url|util)(?:\/|$)/;

const require = createRequire(import.meta.url);

/** Names that a module imports are looked up in the prototype, which has all. */
const stubModule =
  "module.exports = Object.setPrototypeOf(function () { return globalThis.tenonStub; }, globalThis.tenonStub);";

/**
 * Replaces every package but zod by a stub, so that a foreign module defines its tools, and nothing else happens. A
 * stub can be called, constructed and read at any depth; it records the tools that are registered on it.
 *
 * @param major Major version of zod that the project uses
 */
export function stubPackages(major: 3 | 4): Plugin {
  return {
    name: "stub-packages",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === "entry-point") return undefined;
        if (path === "zod" || path.startsWith("zod/"))
          return { path: require.resolve(major === 3 && path === "zod" ? "zod/v3" : path) };
        if (path === "@hono/zod-openapi") return { path, namespace: "openapi" };
        if (isBuiltin(path) && safe.test(path)) return { path, external: true };
        // A path of the project's tsconfig.json is not a package.
        return path.startsWith("@/") || path.startsWith("src/") || path.startsWith("~/")
          ? undefined
          : { path, namespace: "stub" };
      });
      build.onLoad({ filter: /.*/, namespace: "stub" }, () => ({ contents: stubModule }));
      build.onLoad({ filter: /.*/, namespace: "openapi" }, () => ({
        contents: `import { z } from ${JSON.stringify(require.resolve(major === 3 ? "zod/v3" : "zod"))};
          for (const base of globalThis.tenonZodBases(z)) base.openapi ??= function () { return this; };
          export { z };
          export const createRoute = (route) => ({ ...route, getRoutingPath: () => route.path });
          export const OpenAPIHono = globalThis.tenonStub;
          export const $ = globalThis.tenonStub;`,
        resolveDir: import.meta.dirname,
      }));
      build.onLoad({ filter: /\.(?:json|md|txt|html|css|svg)$/ }, ({ path }) =>
        path.endsWith(".json") ? undefined : { contents: "module.exports = ''" },
      );
    },
  };
}
