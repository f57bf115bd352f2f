/** Runs in a process of its own under `tenon dev`: loads each new build into the server that is already listening. */
import { devHostKey, entryKey } from "../../runtime/contract/process-keys.ts";
import { pathToFileURL } from "node:url";
import type { DevHost } from "../../runtime/start/dev-host.ts";

/** Asks the process to load a build. */
export interface LoadBuild {
  /** Absolute path of the file to import. */
  readonly entry: string;
  readonly generation: number;
  /** Source files whose old tools are no longer valid. */
  readonly replaced: readonly string[];
}

/** Answers a `LoadBuild`. */
export interface LoadedBuild {
  readonly generation: number;
  /** `kept`: it could not be loaded, and the last build keeps running. `failed`: nothing is served. */
  readonly outcome: "loaded" | "kept" | "failed";
}

const host: DevHost = {
  running: undefined,
  serve: async (service) => (await import("../../runtime/start/start.ts")).startLambdaServer(service),
};
Reflect.set(globalThis, devHostKey, host);

async function load({ entry, generation, replaced }: LoadBuild): Promise<LoadedBuild> {
  const url = pathToFileURL(entry).href;
  process.argv[1] = entry;
  // Worker threads run the newest build.
  Reflect.set(globalThis, entryKey, url);
  host.forgetTools?.(new Set(replaced));
  try {
    await import(url);
    return { generation, outcome: "loaded" };
  } catch (error) {
    console.error(error);
    return { generation, outcome: host.running === undefined ? "failed" : "kept" };
  }
}

let loading: Promise<unknown> = Promise.resolve();
process.on("message", (build: LoadBuild) => {
  // In order: a fast second save must not overtake the first.
  loading = loading.then(() => load(build)).then((loaded) => process.send?.(loaded));
});
process.once("disconnect", () => process.exit(0));
