import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";

/** Number of log lines in dead letters, and maximum length of each. */
const tailLines = 20;
const tailLineLength = 500;
/** Characters after which a line without an end is split. */
const longestLine = 16 * 1024;
/** Milliseconds to wait for remaining output after a process has ended. */
const lastWords = 500;

/** The end of a process: an exit code, a signal, or a failed start. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Reason of a failed start. */
  readonly failure?: string;
}

export interface WorkerProcess {
  /** Resolves when the process and its child processes have ended, and their output has been read. */
  readonly ended: Promise<WorkerEnd>;
  /** Returns the last lines of the worker's output, without secrets. */
  tail(): readonly string[];
  /** Asks the process to end. */
  terminate(): void;
  /** Kills the process and its child processes at once. */
  kill(): void;
}

export interface WorkerStart {
  /** Shell command. */
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  /** Removes secrets from a line. */
  readonly redact: (line: string) => string;
  readonly onLine: (line: string) => void;
}

// The worker gets its own process group, so that a signal reaches the children of a shell or npm, and the terminal's
// Ctrl-C does not.
const ownGroup = process.platform !== "win32";

/** Starts a worker. Both output streams are its log. */
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
      // The signal fails because no process is left.
    }
  };
  const ended = new Promise<WorkerEnd>((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, failure: error.message }));
    child.once("exit", (code, signal) => {
      // Kills the child processes too: they must not continue with a job that is handed to another worker.
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
 * Makes the command replace the shell, so that its signals and exit codes are visible: not every shell does that
 * itself. A compound command, and one that does so already, stay unchanged.
 */
function inItsPlace(command: string): string {
  return ownGroup && !/[;&|()\n]|^\s*(?:\w+=\S*\s+)*exec\s/.test(command) ? `exec env ${command}` : command;
}

/** Describes the end of a process, for example `exit code 3` or `signal SIGKILL`. */
export function describeEnd({ code, signal, failure }: WorkerEnd): string {
  if (failure !== undefined) return `a failed start (${failure})`;
  if (signal !== null) return `signal ${signal}`;
  // Exit codes above 128 are converted, since a shell reports a signal as 128 + its number.
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
