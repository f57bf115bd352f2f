import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startHostServer } from "./host-server.ts";
import type { HostFindings } from "./host-server.ts";
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
export async function drive(entry: Entry, run: Omit<Run, "port">): Promise<Driven> {
  const server = await startCheckingServer(run.proxied);
  try {
    return { ...(await runEntry(entry, { ...run, port: server.port })), counts: server.counts };
  } finally {
    await server.stop();
  }
}

/** Sends hostile URLs with all clients, from a process of its own. */
export async function driveHosts(
  entry: Entry,
  hosts: { seed: number; count: number },
): Promise<RunResult & HostFindings> {
  const server = await startHostServer();
  try {
    const run: Run = { port: server.port, jobs: 1, requests: 1, proxied: false, rule: "tenon", hosts };
    return { ...(await runEntry(entry, run)), ...server.found };
  } finally {
    await server.stop();
  }
}

async function runEntry({ file, clients, node }: Entry, run: Run): Promise<RunResult> {
  const args = [file, JSON.stringify(run), ...(clients === undefined ? [] : [clients])];
  const env = { ...process.env, NODE_NO_WARNINGS: "1" };
  return new Promise((resolve, reject) => {
    execFile(node ?? process.execPath, args, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout) as RunResult);
      else reject(new Error(`The harness ended with ${String(error.code)}: ${stderr.slice(0, 4000)}`));
    });
  });
}
