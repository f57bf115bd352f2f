/** Runs in each worker thread of a service under `tenon dev`, where Node wants a file of its own kind. */
import { basename, dirname } from "node:path";
import { createModuleRunner } from "./module-runner.ts";

const file = new URL(import.meta.url).searchParams.get("entry") ?? "";
process.argv[1] = file;
const runner = await createModuleRunner(dirname(file));
await runner.run(basename(file));
