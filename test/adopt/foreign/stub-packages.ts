import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import type { Plugin } from "esbuild";

/** Marks the questions of this plugin itself. */
const own = "stub-packages";

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
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind === "entry-point" || pluginData === own) return undefined;
        if (path === "zod" || path.startsWith("zod/"))
          return { path: require.resolve(major === 3 && path === "zod" ? "zod/v3" : path) };
        if (path === "@hono/zod-validator") return { path, namespace: "validator" };
        if (path === "@ts-rest/core") return { path, namespace: "contract" };
        if (path === "@hono/zod-openapi") return { path, namespace: "openapi" };
        if (isBuiltin(path) && safe.test(path)) return { path, external: true };
        // Paths of tsconfig.json, and links to packages of the same workspace, lead to sources.
        const found = await build.resolve(path, { kind, resolveDir, pluginData: own });
        const isSource =
          found.errors.length === 0 && !found.path.includes("node_modules") && found.path.startsWith("/");
        return isSource ? found : { path, namespace: "stub" };
      });
      build.onLoad({ filter: /.*/, namespace: "stub" }, () => ({ contents: stubModule }));
      build.onLoad({ filter: /.*/, namespace: "validator" }, () => ({
        contents: "export const zValidator = (part, schema) => ({ part, schema });",
      }));
      build.onLoad({ filter: /.*/, namespace: "contract" }, () => ({
        contents: `const nothing = () => undefined;
          export const initContract = () => ({
            router: globalThis.tenonContract, query: (one) => one, mutation: (one) => one,
            type: nothing, noBody: nothing, otherResponse: nothing, responses: (all) => all,
          });
          export const ContractNoBody = undefined;
          export const initClient = globalThis.tenonStub;`,
      }));
      build.onLoad({ filter: /.*/, namespace: "openapi" }, () => ({
        contents: `import { z } from ${JSON.stringify(require.resolve(major === 3 ? "zod/v3" : "zod"))};
          z.ZodType.prototype.openapi = function () { return this; };
          export { z };
          export const createRoute = (route) => ({ ...route, getRoutingPath: () => route.path });
          export const OpenAPIHono = globalThis.tenonStub;
          export const $ = globalThis.tenonStub;`,
        resolveDir: import.meta.dirname,
      }));
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, ({ path }) => {
        // Routes belong to the module that is being evaluated.
        const text = readFileSync(path, "utf8").replace(/^#!.*/, "");
        const contents = `globalThis.tenonEnter(${JSON.stringify(path)});${text}`;
        return path.includes("node_modules") ? undefined : { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
      });
      build.onLoad({ filter: /\.(?:json|md|txt|html|css|svg)$/ }, ({ path }) =>
        path.endsWith(".json") ? undefined : { contents: "module.exports = ''" },
      );
    },
  };
}
