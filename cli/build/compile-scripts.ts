/**
 * Runs in a process of its own under `tenon build`: writes V8's compiled form of each script, `NAME.js`, that the command
 * line names into `NAME.cache`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

for (const file of process.argv.slice(2)) {
  // Functions that V8 compiles when they are first called are most of what a start compiles: without the flag they would
  // be missing. And code that V8 drops when memory is short would be missing in some builds.
  setFlagsFromString("--no-lazy");
  setFlagsFromString("--no-flush-bytecode");
  const script = new Script(readFileSync(file, "utf8"));
  // V8 takes compiled code only where its flags are those that it was written with, and services have the defaults.
  for (const flag of ["--lazy", "--flush-bytecode", "--hash-seed=0", "--random-seed=0"]) setFlagsFromString(flag);
  writeFileSync(file.replace(/js$/, "cache"), script.createCachedData());
}
