import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { editable } from "./make-project.ts";

/** Something that reads or builds a made project in a process of its own. */
export interface Contender {
  readonly name: string;
  /** Words of the command, which runs in the project's folder. */
  readonly command: readonly string[];
  /** Before each run, outside of the measured time. */
  readonly before?: (folder: string) => void;
}

const here = import.meta.dirname;
const once = [process.execPath, join(here, "build-once.mjs"), "."];
const tsc = (folder: string): readonly string[] => [
  process.execPath,
  resolve(here, "..", folder, "node_modules/typescript/bin/tsc"),
  "--noEmit",
];

/** The cache of the project is gone. */
function forget(folder: string): void {
  rmSync(join(folder, "node_modules/.cache"), { recursive: true, force: true });
}

/** One tool says something else than at the run before. */
function edit(folder: string): void {
  const path = join(folder, editable.tool);
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.includes("Looks around")
      ? text.replace("Looks around", "Looks for")
      : text.replace("Looks for", "Looks around"),
  );
}

export const contenders: readonly Contender[] = [
  { name: "esbuild alone", command: [...once, "plain"] },
  { name: "tsc 6 --noEmit", command: tsc(".") },
  { name: "tsc 7 --noEmit", command: tsc("test/versions/typescript-7") },
  { name: "tenon, cold", command: [...once, "tenon"], before: forget },
  { name: "tenon, no cache", command: [...once, "tenon", "no-cache"] },
  { name: "tenon, nothing changed", command: [...once, "tenon"] },
  { name: "tenon, one tool changed", command: [...once, "tenon"], before: edit },
];

/**
 * Peers that are installed: each folder of `bench/peers` is a package with dependencies of its own and a `contender.ts`
 * whose export `contenders` is a list like the one above. `npm install` there makes it take part.
 */
export async function installedPeers(): Promise<readonly Contender[]> {
  const folder = join(here, "peers");
  if (!existsSync(folder)) return [];
  const installed = readdirSync(folder).filter((name) => existsSync(join(folder, name, "node_modules")));
  const loaded = await Promise.all(
    installed.map(
      (name) =>
        import(pathToFileURL(join(folder, name, "contender.ts")).href) as Promise<{ contenders: readonly Contender[] }>,
    ),
  );
  return loaded.flatMap((peer) => peer.contenders);
}
