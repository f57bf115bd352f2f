/** Ways to build: each with the configuration that a page of the documentation prints, or with a variation of it. */
import { snippet } from "./snippets.ts";

export interface Build {
  /** Packages of its bundler. */
  readonly packages: readonly string[];
  /** Files of its configuration. */
  readonly files: Readonly<Record<string, string>>;
  /** Programs with their words, one after another. */
  readonly commands: readonly (readonly string[])[];
  /** The built file of the service, by its path. */
  readonly entry: RegExp;
  /** The output needs the packages of the project; all others run from an empty folder. */
  readonly needsPackages?: true;
  /** The output tells lines of the sources, by maps that its configuration asks for, or that are made anyhow. */
  readonly hasMaps?: true;
}

const vite = "node_modules/vite/bin/vite.js";
const service = /^dist\/service\.m?js$/;

/** esbuild by its own interface, with options beside those of README. */
const esbuildWith = (options: string): Build => ({
  packages: ["esbuild"],
  files: {
    "build.mjs": `import { build } from "esbuild";
import tenon from "tenon/esbuild";
await build({ entryPoints: ["src/service.ts"], bundle: true, ${options}, plugins: [tenon()] });
`,
  },
  commands: [["build.mjs"]],
  entry: service,
});

/** webpack and Rspack without their command lines. */
const compilerWith = (bundler: string, config: string): Build => ({
  packages: [bundler],
  files: {
    [config]: snippet("docs/bundlers.md", config),
    "run.mjs": `import bundler from "${bundler}";
import config from "./${config}";
// Smaller output takes most of the time, and is left to the whole product of ways.
const optimization = { minimize: false, concatenateModules: false };
bundler(process.env.WAYS === "all" ? config : { ...config, optimization }, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString({ all: false, errors: true }));
});
`,
  },
  commands: [["run.mjs"]],
  entry: service,
});

export const builds = {
  "README, Vite": {
    packages: ["vite"],
    files: { "vite.config.ts": snippet("README.md", "vite.config.ts") },
    commands: [[vite, "build"]],
    entry: service,
  },
  "README, esbuild": {
    packages: ["esbuild"],
    files: { "build.mjs": snippet("README.md", "build.mjs") },
    commands: [["build.mjs"]],
    entry: service,
  },
  "tenon build": {
    packages: [],
    files: {},
    commands: [["node_modules/tenon/dist/cli/main.js", "build"]],
    entry: service,
    hasMaps: true,
  },
  "esbuild, outfile": esbuildWith('outfile: "dist/service.mjs", sourcemap: true'),
  "esbuild, packages external": {
    ...esbuildWith('outdir: "dist", packages: "external"'),
    needsPackages: true,
  },
  "esbuild, own names": {
    ...esbuildWith('outdir: "dist", entryNames: "bin/[name]-[hash]", chunkNames: "parts/[hash]", minify: true'),
    entry: /^dist\/bin\/service-\w+\.m?js$/,
  },
  "Vite SSR, entries of its own": {
    packages: ["vite"],
    files: {
      "src/other.ts": 'export const other = "has no tool";\n',
      "vite.config.ts": `import tenon from "tenon/vite";
export default {
  plugins: [tenon()],
  build: { ssr: true, rollupOptions: { input: { server: "src/service.ts", other: "src/other.ts" } } },
};
`,
    },
    commands: [[vite, "build"]],
    entry: /^dist\/server\.m?js$/,
    needsPackages: true,
  },
  "Vite, client and SSR": {
    packages: ["vite"],
    files: {
      "vite.config.ts": snippet("README.md", "vite.config.ts"),
      "index.html": '<!doctype html>\n<html><body><script type="module" src="/src/page.ts"></script></body></html>\n',
      "src/page.ts": 'document.title = "A page of its own";\n',
    },
    commands: [
      [vite, "build", "--outDir", "dist/client"],
      [vite, "build", "--ssr", "src/service.ts", "--outDir", "dist/server"],
    ],
    entry: /^dist\/server\/service\.m?js$/,
    needsPackages: true,
  },
  Rollup: {
    packages: ["rollup"],
    files: { "rollup.config.mjs": snippet("docs/bundlers.md", "rollup.config.mjs") },
    commands: [["node_modules/rollup/dist/bin/rollup", "-c"]],
    entry: service,
    needsPackages: true,
  },
  Rolldown: {
    // It is a dependency of tenon.
    packages: [],
    files: { "rolldown.config.mjs": snippet("docs/bundlers.md", "rolldown.config.mjs") },
    commands: [["node_modules/rolldown/bin/cli.mjs", "-c"]],
    entry: service,
  },
  webpack: compilerWith("webpack", "webpack.config.mjs"),
  Rspack: compilerWith("@rspack/core", "rspack.config.mjs"),
  tsdown: {
    packages: ["tsdown"],
    files: { "tsdown.config.mjs": snippet("docs/bundlers.md", "tsdown.config.mjs") },
    commands: [["node_modules/tsdown/dist/run.mjs"]],
    entry: service,
  },
} as const satisfies Record<string, Build>;

export type BuildName = keyof typeof builds;
