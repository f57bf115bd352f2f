import { createRequire } from "node:module";

/** Finds what ts-morph depends on, which only ts-morph may be able to find. */
export function besideTsMorph(): NodeJS.Require {
  return createRequire(createRequire(import.meta.url).resolve("ts-morph"));
}
