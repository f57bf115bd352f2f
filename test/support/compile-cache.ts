/** Vitest global set-up: a folder in which the processes that tests start keep their compiled code, for this run. */
import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";

export function setup({ config }: TestProject): void {
  const folder = config.env["NODE_COMPILE_CACHE"];
  // Not in a tear-down: workers write to it when they end, which may be later.
  if (folder !== undefined) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
