import { join } from "node:path";
import { build } from "esbuild";

export interface VictimEntries {
  readonly worker: string;
  readonly service: string;
  readonly platform: string;
}

/** Bundles the processes of the sweep, so that each of a thousand starts costs little. */
export async function bundleVictims(folder: string): Promise<VictimEntries> {
  const names = ["worker", "service", "platform"] as const;
  await build({
    entryPoints: names.map((name) => join(import.meta.dirname, `${name}-process.ts`)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    logLevel: "error",
    external: ["openai"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  const [worker, service, platform] = names.map((name) => join(folder, `${name}-process.mjs`));
  return { worker: worker ?? "", service: service ?? "", platform: platform ?? "" };
}
