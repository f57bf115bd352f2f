import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { withOwnColours } from "../base/colours.ts";
import { CommandError } from "../base/usage.ts";

export interface RunningService {
  /** For example `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * A log format for people; an author's own format takes precedence. There is one job, so its id is cut to nothing;
 * records of tenon would otherwise have it as a field.
 */
const logFormat = "%(levelname)s %(name)s: %(message)s%(job_id).0s";

/**
 * Lines that are left out: steps and the end of the service, which the command reports itself, and tenon's own frames
 * in a stack.
 */
const leftOut = /^INFO (?:event|tenon): |^ +at .*[\\/]node_modules[\\/]tenon[\\/]dist[\\/]/;

/**
 * Starts a built service on a free loopback port. `onLine` gets each line that it writes: its log, and output of author
 * code.
 */
export async function startService(
  entry: string,
  flags: readonly string[],
  onLine: (line: string) => void,
): Promise<RunningService> {
  const child = spawn(
    process.execPath,
    ["--enable-source-maps", entry, "--host", "127.0.0.1", "--port", "0", ...flags],
    { stdio: ["ignore", "pipe", "pipe"], env: { PLATFORM_LOG_FORMAT: logFormat, ...process.env } },
  );
  // The output is complete: the process closes it before this event.
  const ended = once(child, "close");
  const tell = (line: string): void => {
    if (!leftOut.test(line)) onLine(withOwnColours(line));
  };
  createInterface({ input: child.stdout }).on("line", tell);
  const url = await firstUrl(child, child.stderr, tell);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function firstUrl(child: ChildProcess, stderr: Readable, onLine: (line: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    let listens = false;
    child.once("close", (code) => {
      reject(new CommandError(`The service ended with code ${code} before it listened.\n${said.join("\n")}`));
    });
    createInterface({ input: stderr }).on("line", (line) => {
      // Other lines may name an address of another program.
      const url = listens ? undefined : / listens on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
      if (listens) return onLine(line);
      if (url === undefined) return void said.push(withOwnColours(line));
      listens = true;
      for (const earlier of said) onLine(earlier);
      resolve(url);
    });
  });
}
