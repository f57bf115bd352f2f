import { rmSync } from "node:fs";
import { join } from "node:path";
import { createDevBuild, type DevBuild } from "../../cli/dev/dev-build.ts";
import { createModuleRunner, type ModuleRunner } from "../../cli/dev/module-runner.ts";
import { temporaryFolder, writeFiles } from "./temporary-folder.ts";

/** A project under `tenon dev`, without its processes. */
export interface DevService<Exports> {
  readonly root: string;
  readonly outdir: string;
  readonly dev: DevBuild;
  /** Saves files (`undefined` removes one), builds, runs the build and gives what the entry exports. */
  build(saved?: Readonly<Record<string, string | undefined>>, appeared?: boolean): Promise<Exports>;
}

/** Opens a project of these files, whose entry is `src/service.ts`. */
export function openDevService<Exports>(files: Readonly<Record<string, string>>): DevService<Exports> {
  const root = temporaryFolder({ "package.json": '{ "type": "module" }', ...files });
  const outdir = join(root, ".tenon/dev");
  const dev = createDevBuild({ root, entry: join(root, "src/service.ts") }, outdir);
  let runner: ModuleRunner | undefined;
  return {
    root,
    outdir,
    dev,
    async build(saved = {}, appeared = false) {
      for (const [file, text] of Object.entries(saved)) {
        if (text === undefined) rmSync(join(root, file));
        else writeFiles(root, { [file]: text });
      }
      const { entry, dropped } = await dev.build(new Set(Object.keys(saved).map((file) => join(root, file))), appeared);
      runner ??= createModuleRunner(outdir);
      runner.drop(dropped);
      return (await runner.run(entry)) as unknown as Exports;
    },
  };
}
