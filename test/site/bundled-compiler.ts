import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import type { Playground, PlaygroundOptions } from "../../playground/compiler/open-playground.ts";

/**
 * Opens the playground's compiler from the script that its worker loads. The script gets what a browser gives to a
 * worker, and nothing of Node: no files, no process, no `require`.
 *
 * @param folder Folder of the built playground
 */
export function openBundled(folder: string, options: Omit<PlaygroundOptions, "packageTexts">): Playground {
  const text = (name: string): string => readFileSync(join(folder, name), "utf8");
  const scope = {
    performance,
    setTimeout,
    TextEncoder,
    URL,
    btoa,
    addEventListener(): void {},
    importScripts(name: string): void {
      runInContext(text(name), context);
    },
  } as Partial<Record<"openPlayground", (given: PlaygroundOptions) => Playground>>;
  const context = createContext(scope);
  runInContext(text("worker.js"), context);
  const packageTexts = JSON.parse(text("package-texts.json")) as PlaygroundOptions["packageTexts"];
  if (scope.openPlayground === undefined) throw new Error("The worker's script has not opened.");
  return scope.openPlayground({ ...options, packageTexts });
}
