/** The same bundle for every plugin. */
export function options(root, name) {
  return {
    absWorkingDir: root,
    entryPoints: ["src/service.ts"],
    outdir: `out/${name}`,
    bundle: true,
    platform: "node",
    format: "esm",
    splitting: true,
    outExtension: { ".js": ".mjs" },
    external: ["openai"],
    logLevel: "error",
  };
}
