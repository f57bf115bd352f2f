import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Run, RunResult } from "./run.ts";
import { startCheckingServer } from "./server.ts";
import type { Counts } from "./server.ts";

export interface Driven extends RunResult {
  readonly counts: ReadonlyMap<string, Counts>;
}

export interface Entry {
  /** File to run. */
  readonly file: string;
  /** Folder of the clients, for a file that loads them from disk. */
  readonly clients?: string;
  /** Node to run it with. */
  readonly node?: string;
}

export const unbundledEntry: string = fileURLToPath(new URL("unbundled.ts", import.meta.url));

/** Runs the harness in a process of its own against a checking server in this one. */
export async function drive({ file, clients, node }: Entry, run: Omit<Run, "port">): Promise<Driven> {
  const server = await startCheckingServer(run.proxied);
  try {
    const args = [file, JSON.stringify({ ...run, port: server.port }), ...(clients === undefined ? [] : [clients])];
    const env = { ...process.env, NODE_NO_WARNINGS: "1" };
    const text = await new Promise<string>((resolve, reject) => {
      execFile(node ?? process.execPath, args, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`The harness ended with ${String(error.code)}: ${stderr.slice(0, 4000)}`));
      });
    });
    return { ...(JSON.parse(text) as RunResult), counts: server.counts };
  } finally {
    await server.stop();
  }
}
