import { spawn } from "node:child_process";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { bareEnv } from "../../support/bare-env.ts";
import { fakeSidecar, type FakeSidecar } from "../../support/fake-sidecar.ts";

const entry = join(inject("bundledServices"), "batch.js");

export interface BatchProcess {
  readonly pid: number;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
    readonly ms: number;
  }>;
  readonly said: () => string;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the batch service of the tests; it is gone after the test. */
export function launch(env: Record<string, string>, args: readonly string[] = [], cwd?: string): BatchProcess {
  const before = performance.now();
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...bareEnv(), ...env },
    ...(cwd !== undefined && { cwd }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    pid: child.pid ?? 0,
    said: () => stderr,
    kill: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => {
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr, ms: performance.now() - before }));
    }),
  };
}

/** A sidecar that is closed after the test. Concurrent tests give their own `onFinished`. */
export async function sidecar(
  options?: { readonly leases?: number },
  onFinished: (end: () => Promise<void>) => void = onTestFinished,
): Promise<FakeSidecar> {
  const fake = await fakeSidecar(options);
  onFinished(() => fake.close());
  return fake;
}
