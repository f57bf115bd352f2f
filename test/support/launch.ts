import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareEnv } from "./bare-env.ts";

export interface EndedProcess {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LaunchedService {
  readonly url: string;
  readonly ended: Promise<EndedProcess>;
  /** Its stderr so far. */
  stderr(): string;
  post(body: unknown, headers?: Readonly<Record<string, string>>, path?: string): Promise<Response>;
  /** SIGTERM, and its end. */
  stop(): Promise<EndedProcess>;
  /** SIGKILL, and its end. */
  kill(): Promise<EndedProcess>;
  readonly pid: number | undefined;
}

/** Starts an entry in a process of its own, with an empty folder and no more environment than given. */
export function launchEntry(
  entry: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): {
  readonly listening: Promise<LaunchedService>;
  readonly ended: Promise<EndedProcess>;
  readonly stdin: NodeJS.WritableStream;
  /** Its stdout so far. */
  stdout(): string;
  /** Its stderr so far. */
  stderr(): string;
  /** Sends SIGTERM. */
  terminate(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), "tenon-"));
  const child = spawn("node", [entry, ...args], {
    cwd: folder,
    env: { ...bareEnv(), HOST: "127.0.0.1", PORT: "0", ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  const ended = new Promise<EndedProcess>((resolve) => {
    child.on("close", (code) => {
      rmSync(folder, { recursive: true });
      resolve({ code, stdout, stderr });
    });
  });
  const listening = new Promise<LaunchedService>((resolve, reject) => {
    void ended.then(() => reject(new Error(`ended early: ${stderr}`)));
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk);
      const url = /listens on (http:\S+)\n/.exec(stderr)?.[1];
      if (url === undefined) return;
      resolve({
        url,
        ended,
        stderr: () => stderr,
        post: (body, headers = {}, path = "/tool") =>
          fetch(url + path, {
            method: "POST",
            body: JSON.stringify(body),
            headers: { "content-type": "application/json", ...headers },
          }),
        stop() {
          child.kill("SIGTERM");
          return ended;
        },
        kill() {
          child.kill("SIGKILL");
          return ended;
        },
        pid: child.pid,
      });
    });
  });
  listening.catch(() => {});
  return {
    listening,
    ended,
    stdin: child.stdin,
    stdout: () => stdout,
    stderr: () => stderr,
    terminate: () => void child.kill("SIGTERM"),
  };
}
