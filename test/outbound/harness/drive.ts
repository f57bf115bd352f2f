import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startHostServer, type HostFindings } from "./host-server.ts";
import type { Run, RunResult } from "./run.ts";
import { startCheckingServer, type Counts } from "./server.ts";

export interface Driven extends RunResult {
  /** Of a run with shapes of clients. */
  readonly counts: ReadonlyMap<string, Counts>;
  /** Of a run with hosts. */
  readonly found: HostFindings | undefined;
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

/** A run whose server is yet to be started. */
export type RunPlan = Omit<Run, "port">;

/** Does the runs in one process of their own, one after the other, against servers in this one. */
export async function drive(entry: Entry, runs: readonly RunPlan[]): Promise<Driven[]> {
  const servers = await Promise.all(
    runs.map(({ hosts, proxied }) => (hosts === undefined ? startCheckingServer(proxied) : startHostServer())),
  );
  try {
    const results = await runEntry(
      entry,
      runs.map((run, index) => ({ ...run, port: servers[index]?.port ?? 0 })),
    );
    return results.map((result, index) => ({ counts: new Map(), found: undefined, ...servers[index], ...result }));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function runEntry({ file, clients, node }: Entry, runs: readonly Run[]): Promise<RunResult[]> {
  const args = [file, JSON.stringify(runs), ...(clients === undefined ? [] : [clients])];
  const env = { ...process.env, NODE_NO_WARNINGS: "1" };
  return new Promise((resolve, reject) => {
    execFile(node ?? process.execPath, args, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout) as RunResult[]);
      else reject(new Error(`The harness ended with ${String(error.code)}: ${stderr.slice(0, 4000)}`));
    });
  });
}
