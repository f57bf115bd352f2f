import { createRequire } from "node:module";

/** Resolves packages from the folder of ts-morph: its dependencies may be visible only there. */
export function besideTsMorph(): NodeJS.Require {
  return createRequire(createRequire(import.meta.url).resolve("ts-morph"));
}
