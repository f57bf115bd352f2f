import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { CommandError } from "../base/usage.ts";

export interface RunningService {
  /** For example `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a built service on a free loopback port. `onLine` gets its output. */
export async function startService(
  entry: string,
  flags: readonly string[],
  onLine: (line: string) => void,
): Promise<RunningService> {
  const child = spawn(
    process.execPath,
    ["--enable-source-maps", entry, "--host", "127.0.0.1", "--port", "0", ...flags],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = once(child, "exit");
  const url = await firstUrl(child, onLine);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function firstUrl(child: ChildProcess, onLine: (line: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    child.once("exit", (code) => {
      reject(new CommandError(`The service ended with code ${code} before it listened.\n${said.join("\n")}`));
    });
    if (child.stderr === null) throw new TypeError("standard error is a pipe");
    createInterface({ input: child.stderr }).on("line", (line) => {
      said.push(line);
      const url = /\bhttp:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url === undefined) onLine(line);
      else resolve(url);
    });
  });
}
