/**
 * Runs in a process of its own under `tenon build`: compiles each script `NAME.js` of the command line, and writes V8's
 * compiled form to `NAME.cache`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

for (const file of process.argv.slice(2)) {
  // Without this flag, functions that V8 compiles on their first call would be missing; they are most of what a start
  // compiles. Code that V8 drops when memory is short would be missing in some builds.
  setFlagsFromString("--no-lazy");
  setFlagsFromString("--no-flush-bytecode");
  const script = new Script(readFileSync(file, "utf8"));
  // V8 accepts compiled code only under the flags that it was written with, and services have the defaults.
  for (const flag of ["--lazy", "--flush-bytecode", "--hash-seed=0", "--random-seed=0"]) setFlagsFromString(flag);
  writeFileSync(file.replace(/js$/, "cache"), script.createCachedData());
}
