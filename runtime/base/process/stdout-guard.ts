import { keyExpression, stdoutKey } from "../../contract/process-keys.ts";
import type { GuardedStdout } from "./install-stdout-guard.ts";
import { stdoutGuardText } from "./stdout-guard-text.ts";

/** Condition for the guard. `flags`: a flag of the process makes standard output data. `always`: needs no flag. */
export type StdoutGuardCondition = "flags" | "always";

/**
 * Returns the text to put before every chunk of a bundle, because modules of a shared chunk run before the entry and
 * may print. `always` is for services that call `runMcpStdio()` themselves.
 */
export function stdoutGuardBanner(condition: StdoutGuardCondition): string {
  return `;(${stdoutGuardText})(${condition === "always"},${keyExpression(stdoutKey)});`;
}

/** Writes data to standard output; if there is a guard, bypasses it. */
export function writeToStdout(...args: Parameters<GuardedStdout["write"]>): boolean {
  const guarded = (globalThis as { [stdoutKey]?: GuardedStdout })[stdoutKey];
  return guarded === undefined ? process.stdout.write(...args) : guarded.write(...args);
}

/** True after the guard was installed in this thread. */
export function isStdoutGuarded(): boolean {
  return (globalThis as { [stdoutKey]?: GuardedStdout })[stdoutKey] !== undefined;
}
