import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AspectStore, StoredAspect } from "./local-aspects.ts";
import { fileOf, readJson, writeJson } from "./local-files.ts";

/** Aspects as files, `aspects/<id>.json`. */
export function createAspectFiles(root: string): AspectStore {
  const folder = join(root, "aspects");
  return {
    place: folder,
    async read(id) {
      const file = fileOf(folder, id, ".json");
      return file === undefined ? undefined : readJson(file);
    },
    write: (id, stored) => writeJson(join(folder, `${id}.json`), stored),
    async all() {
      const names = (await readdir(folder).catch(() => [])).toSorted();
      const found: StoredAspect[] = [];
      for (const name of names) {
        const stored = name.endsWith(".json") ? await readJson(join(folder, name)) : undefined;
        if (stored !== undefined) found.push(stored);
      }
      return found;
    },
  };
}
