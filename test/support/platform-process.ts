import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { bareEnv } from "./bare-env.ts";

/** A platform in a process of its own. */
export interface PlatformProcess {
  readonly url: string;
  /** Everything that it has printed. */
  readonly said: () => string;
  /** Ends it in order; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Sends it a signal, such as `SIGSTOP`. */
  signal(signal: NodeJS.Signals): void;
  /** `kill -9`. */
  kill(): Promise<void>;
}

/**
 * Runs the built `tenon platform` on a free port; resolves when it listens. Rejects with what it printed if it ends.
 */
export async function startPlatform(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<PlatformProcess> {
  const command = [resolve("dist/cli/main.js"), "platform", "--port", "0", "--quiet", ...words];
  const { HOME = "" } = process.env;
  const child = spawn(process.execPath, command, {
    env: { ...bareEnv(), HOME, NO_COLOR: "1", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  let text = "";
  const url = await new Promise<string>((listens, failed) => {
    child.once("exit", (code) => failed(new Error(`ended with ${code}: ${text}`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      text += `${line}\n`;
      const [, at] = /listens on (\S+)/.exec(line) ?? [];
      if (at !== undefined) listens(at);
    });
  });
  return {
    url,
    said: () => text,
    async stop() {
      child.kill("SIGTERM");
      return (await ended)[0];
    },
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
