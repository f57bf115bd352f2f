import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { builtinModuleText, builtinSpecifier, resolveBuiltin } from "../../../plugin/hooks/builtin-modules.ts";
import { fetchStubBanner } from "../../../plugin/hooks/banner.ts";
import { undiciTransform } from "../../../plugin/hooks/transform-undici.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Folder whose node_modules has the clients: the workspace `test/versions/outbound-clients`, or `OUTBOUND_CLIENTS`. */
export function clientsFolder(): string | undefined {
  const workspace = fileURLToPath(new URL("../../versions/outbound-clients", import.meta.url));
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const folders = [process.env["OUTBOUND_CLIENTS"], workspace, root];
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, "node_modules", "undici-8")));
}

/** As the plugin of a build mounts them: the transform, the builtin modules, the banner. */
function outboundPlugin(): Plugin {
  return {
    name: "outbound",
    setup(build) {
      build.onLoad({ filter: undiciTransform.filter }, async ({ path }) => {
        const { readFile } = await import("node:fs/promises");
        const contents = undiciTransform.transform(await readFile(path, "utf8"), path);
        return contents === undefined ? undefined : { contents, loader: "js" };
      });
      build.onResolve({ filter: builtinSpecifier }, ({ path }) => ({
        path: resolveBuiltin(path) ?? path,
        namespace: "outbound",
      }));
      build.onLoad({ filter: /.*/, namespace: "outbound" }, ({ path }) => {
        const contents = builtinModuleText(path);
        return contents === undefined ? undefined : { contents, loader: "js" };
      });
    },
  };
}

/** Bundles the harness with all clients in it; with `plain` as any bundler does, without us. */
export async function bundleHarness(
  folder: string,
  file: string,
  { minify = false, plain = false } = {},
): Promise<void> {
  const { build } = await import("esbuild");
  const require = 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);';
  await build({
    stdin: {
      resolveDir: here,
      sourcefile: "entry.ts",
      loader: "ts",
      contents: `
        import * as undici7 from "undici-7"; import * as undici8 from "undici-8";
        import axios from "axios"; import got from "got"; import ky from "ky"; import nodeFetch from "node-fetch";
        import * as http from "node:http"; import { request as namedRequest } from "http";
        import { runAll } from "./run.ts";
        const keptFetch = fetch;
        await runAll({ undici7, undici8, axios, got, ky, nodeFetch, http: http.default ?? http, namedRequest, keptFetch });
      `,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    outfile: file,
    minify,
    nodePaths: [join(folder, "node_modules")],
    banner: { js: `${require}${plain ? "" : fetchStubBanner({ builtins: true })}` },
    plugins: plain ? [] : [outboundPlugin()],
    logLevel: "error",
  });
}
