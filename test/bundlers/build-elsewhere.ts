import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BundlerProject } from "./bundler-project.ts";

/** The report of a build in a process of its own. */
export interface BuildReport {
  /** The TypeScript compiler was loaded. */
  readonly compiler: boolean;
  /** Megabytes at the highest. */
  readonly memory: number;
  /** Seconds of processor time, without esbuild's own process. */
  readonly cpu: number;
}

/** Builds with esbuild in a process of its own, which prints a `BuildReport`. */
export function startBuild({ root, path, plugins }: BundlerProject, folder: string, entry: string): ChildProcess {
  const plugin = plugins.fromSources
    ? join(process.cwd(), "plugin/bundlers/esbuild.ts")
    : path("node_modules/tenon/dist/plugin/bundlers/esbuild.js");
  const script = `
    import { existsSync, readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    import tenon from ${JSON.stringify(pathToFileURL(plugin).href)};
    const require = createRequire(${JSON.stringify(join(process.cwd(), "package.json"))});
    await require("esbuild").build({
      absWorkingDir: process.cwd(), entryPoints: [${JSON.stringify(entry)}], outdir: "out", sourcemap: true, logLevel: "silent",
      plugins: [tenon()],
    });
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    // On Linux the other number begins with that of the process that started this one.
    const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
    const highest = /^VmHWM:\\s+(\\d+) kB$/m.exec(status)?.[1];
    console.log(JSON.stringify({
      compiler: Object.keys(require.cache).some((file) => /typescript\\.js$/.test(file)),
      memory: Number(highest ?? maxRSS) / 1024,
      cpu: (userCPUTime + systemCPUTime) / 1e6,
    }));
    process.exit(0);
  `;
  return spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: join(root, folder),
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** The report of a build that ended; undefined when it was killed. */
export async function reportOf(child: ChildProcess): Promise<BuildReport | undefined> {
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => child.once("close", resolve));
  return text === "" ? undefined : (JSON.parse(text) as BuildReport);
}
