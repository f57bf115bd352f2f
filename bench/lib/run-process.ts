import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Cost of a process. */
export interface ProcessCost {
  /** Milliseconds from its start to its end. */
  readonly wall: number;
  /** Milliseconds of processor time, including all child processes that were waited for. */
  readonly cpu: number;
  /** Peak megabytes of the largest of these processes. */
  readonly memory: number;
}

/** A process that ended by itself or not. */
export interface ProcessEnd extends ProcessCost {
  /** Exit code; 124 where the limit ended it. */
  readonly status: number;
  /** What it wrote, of both streams. */
  readonly output: string;
}

const gnuTime = "/usr/bin/time";
/** Status of `timeout` when it has ended its command. */
export const tookTooLong = 124;

/** Runs a command to its end. Processor time and memory need GNU time (`apt install time`) and are NaN without it. */
export function runProcess(command: readonly string[], cwd: string): ProcessCost {
  const { status, output, ...cost } = tryProcess(command, cwd);
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}:\n${output}`);
  return cost;
}

/** Runs a command to its end, successful or not, or for at most `seconds` (by `timeout` of GNU coreutils). */
export function tryProcess(command: readonly string[], cwd: string, seconds?: number): ProcessEnd {
  const limited = seconds === undefined ? command : ["timeout", "-k", "1", String(seconds), ...command];
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-time-"));
  const report = join(folder, "time.txt");
  const isTimed = existsSync(gnuTime);
  const [program, ...words] = isTimed ? [gnuTime, "-q", "-f", "%U %S %M", "-o", report, ...limited] : limited;
  if (program === undefined) throw new Error("There is no command to run.");
  try {
    const started = performance.now();
    const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: "utf8" });
    const wall = performance.now() - started;
    const end = { wall, status: status ?? 1, output: `${stdout}${stderr}` };
    if (!isTimed) return { ...end, cpu: Number.NaN, memory: Number.NaN };
    const [user = 0, system = 0, kilobytes = 0] = readFileSync(report, "utf8").trim().split(" ").map(Number);
    return { ...end, cpu: (user + system) * 1000, memory: kilobytes / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
