import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { Changes } from "./changes.ts";

/** A built service that runs, and all that it has said. */
export interface Process {
  readonly child: ChildProcessWithoutNullStreams;
  readonly changes: Changes;
  /** Its stderr so far. */
  stderr(): string;
  /** Its log so far. */
  log(): readonly Readonly<Record<string, unknown>>[];
  readonly ended: Promise<number | null>;
  /** SIGTERM, and its end; SIGKILL when it does not end. */
  stop(): Promise<number | null>;
}

/** Starts a program in a folder with no more environment than given. */
export function start(
  words: readonly string[],
  options: { readonly node: string; readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Process {
  const { node, cwd, env } = options;
  const child = spawn(node, words, { cwd, env, stdio: "pipe" });
  const changes = new Changes();
  const lines: Readonly<Record<string, unknown>>[] = [];
  let stderr = "";
  let rest = "";
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    const pieces = (rest + text).split("\n");
    rest = pieces.pop() ?? "";
    for (const line of pieces) lines.push(parsed(line));
    changes.tell();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      resolve(code);
      changes.tell();
    });
    child.once("error", () => resolve(null));
  });
  return {
    child,
    changes,
    ended,
    stderr: () => stderr,
    log: () => lines,
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
      const code = await ended;
      clearTimeout(timer);
      return code;
    },
  };
}

/** A line that is not of the log is its own text. */
function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return { text: line };
  }
}
