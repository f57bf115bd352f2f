import { createRequire } from "node:module";

/**
 * Resolves packages from the folder of ts-morph: its dependencies may be installed where only ts-morph can find them.
 */
export function besideTsMorph(): NodeJS.Require {
  return createRequire(createRequire(import.meta.url).resolve("ts-morph"));
}
