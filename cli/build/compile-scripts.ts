/**
 * Runs in a separate process under `tenon build`: compiles each script `NAME.js` of the command line, and writes V8's
 * compiled form to `NAME.cache`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

for (const file of process.argv.slice(2)) {
  // With this flag, V8 also compiles functions that it would otherwise compile on their first call, which is most of
  // the code that a start compiles. V8 must not drop code when memory is short either, since the result would differ
  // between builds.
  setFlagsFromString("--no-lazy");
  setFlagsFromString("--no-flush-bytecode");
  const script = new Script(readFileSync(file, "utf8"));
  // V8 accepts compiled code only with the same flags as when it was written, and services use the defaults.
  for (const flag of ["--lazy", "--flush-bytecode", "--hash-seed=0", "--random-seed=0"]) setFlagsFromString(flag);
  writeFileSync(file.replace(/js$/, "cache"), script.createCachedData());
}
