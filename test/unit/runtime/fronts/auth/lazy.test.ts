import { build } from "esbuild";
import { expect, test } from "vitest";

test("what checks tokens is a chunk of its own, which services without authorisation never load", async () => {
  const { metafile } = await build({
    entryPoints: ["runtime/index.ts"],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    outdir: "dist",
    logLevel: "silent",
    external: ["openai", "@opentelemetry/*", "pino"],
  });
  const { outputs } = metafile;
  const has = (file: string, input: RegExp): boolean =>
    Object.keys(outputs[file]?.inputs ?? {}).some((name) => input.test(name));
  const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === "runtime/index.ts") ?? "";
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === "import-statement") loaded.add(path);
  const withJose = Object.keys(outputs).filter((file) => has(file, /node_modules\/jose\//));
  expect(withJose).toHaveLength(1);
  expect(
    [...loaded].filter((file) => withJose.includes(file) || has(file, /runtime\/fronts\/auth\/(?:gate|verify-token)/)),
  ).toEqual([]);
});
