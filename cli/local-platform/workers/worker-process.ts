import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";

/** Lines of a worker's log that are kept for its dead letters, and characters of each. */
const tailLines = 20;
const tailLineLength = 500;
/** Characters after which a line that does not end is taken for one. */
const longestLine = 16 * 1024;
/** Milliseconds that the last words of a process may take after its end. */
const lastWords = 500;

/** How a process ended: with a code, by a signal, or before it began. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why there was no process. */
  readonly failure?: string;
}

export interface WorkerProcess {
  /** Resolves when it and all that it started are gone, and its last words are read. */
  readonly ended: Promise<WorkerEnd>;
  /** The last lines that it wrote, without secrets. */
  tail(): readonly string[];
  /** Asks it to end. */
  terminate(): void;
  /** Ends it and all that it started, at once. */
  kill(): void;
}

export interface WorkerStart {
  /** For the shell. */
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  /** Takes secrets out of a line. */
  readonly redact: (line: string) => string;
  readonly onLine: (line: string) => void;
}

// A group of its own, so that a signal reaches what a shell or npm has started, and the terminal's Ctrl-C does not.
const ownGroup = process.platform !== "win32";

/** Starts a worker; what it writes to either stream is its log. */
export function startWorker({ command, env, redact, onLine }: WorkerStart): WorkerProcess {
  const child = spawn(inItsPlace(command), { shell: true, env, detached: ownGroup, stdio: ["ignore", "pipe", "pipe"] });
  const tail: string[] = [];
  const take = (line: string): void => {
    const clean = redact(line);
    tail.push(clean.length > tailLineLength ? `${clean.slice(0, tailLineLength)}…` : clean);
    if (tail.length > tailLines) tail.shift();
    onLine(clean);
  };
  const kill = (): void => {
    try {
      if (ownGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // There is nobody left.
    }
  };
  const ended = new Promise<WorkerEnd>((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, failure: error.message }));
    child.once("exit", (code, signal) => {
      // What it has started must not go on with a job that is given to somebody else.
      kill();
      const timer = setTimeout(() => resolve({ code, signal }), lastWords);
      child.once("close", () => {
        clearTimeout(timer);
        resolve({ code, signal });
      });
    });
  });
  readLines(child.stdout, take);
  readLines(child.stderr, take);
  return { ended, tail: () => [...tail], terminate: () => void child.kill("SIGTERM"), kill };
}

/**
 * A command that takes the place of the shell, so that signals and exit codes are its own: not every shell does so by
 * itself. One of several parts is left as it is.
 */
function inItsPlace(command: string): string {
  return ownGroup && !/[;&|()\n]/.test(command) ? `exec env ${command}` : command;
}

/** For example `exit code 3` or `signal SIGKILL`. */
export function describeEnd({ code, signal, failure }: WorkerEnd): string {
  if (failure !== undefined) return `a failed start (${failure})`;
  if (signal !== null) return `signal ${signal}`;
  // What a shell says of a command that a signal has ended.
  const name = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
  return name === undefined ? `exit code ${code}` : `exit code ${code} (${name})`;
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
    if (rest.length <= longestLine) return;
    onLine(rest);
    rest = "";
  });
  stream.on("end", () => {
    if (rest !== "") onLine(rest);
  });
}
