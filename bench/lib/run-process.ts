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

const gnuTime = "/usr/bin/time";

/** Runs a command to its end. Processor time and memory need GNU time (`apt install time`) and are NaN without it. */
export function runProcess([program, ...words]: readonly string[], cwd: string): ProcessCost {
  if (program === undefined) throw new Error("There is no command to run.");
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-time-"));
  const report = join(folder, "time.txt");
  const isTimed = existsSync(gnuTime);
  const timed = isTimed ? [gnuTime, "-f", "%U %S %M", "-o", report, program, ...words] : [program, ...words];
  try {
    const started = performance.now();
    const { status, stdout, stderr } = spawnSync(timed[0] ?? program, timed.slice(1), { cwd, encoding: "utf8" });
    const wall = performance.now() - started;
    if (status !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
    if (!isTimed) return { wall, cpu: Number.NaN, memory: Number.NaN };
    const [user = 0, system = 0, kilobytes = 0] = readFileSync(report, "utf8").trim().split(" ").map(Number);
    return { wall, cpu: (user + system) * 1000, memory: kilobytes / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
