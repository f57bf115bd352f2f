import type { GuardedStdout } from "./install-stdout-guard.ts";
import { stdoutGuardText } from "./stdout-guard-text.ts";

/** `flags`: act when a flag of the process makes standard output data. `always`: act without a flag. */
export type StdoutGuardCondition = "flags" | "always";

/**
 * Text to put before every chunk of a bundle: modules of a shared chunk run before the entry and may print. `always` is
 * for services that call `runMcpStdio()` themselves.
 */
export function stdoutGuardBanner(condition: StdoutGuardCondition): string {
  return `;(${stdoutGuardText})(${condition === "always"});`;
}

/** Writes data to standard output, past the guard if there is one. */
export function writeToStdout(...args: Parameters<GuardedStdout["write"]>): boolean {
  const guarded = (globalThis as { [guardKey]?: GuardedStdout })[guardKey];
  return guarded === undefined ? process.stdout.write(...args) : guarded.write(...args);
}

export function isStdoutGuarded(): boolean {
  return (globalThis as { [guardKey]?: GuardedStdout })[guardKey] !== undefined;
}

const guardKey: unique symbol = Symbol.for("tenon.stdout") as never;
