import type { Environment } from "../config.ts";
import type { PlatformJob } from "./platform-api.ts";
import type { PlatformClient } from "./platform-client.ts";
import type { PlatformHttp } from "./platform-http.ts";

const usualFolder = ".tenon/local";
const key: unique symbol = Symbol.for("tenon.platform");

/**
 * The platform client of one job: the sidecar at `PLATFORM_BASE_URL`, else the folder `TENON_LOCAL_DIR`. Its code is
 * loaded by the first operation, so a service that never asks the platform does not pay for it.
 */
export function createJobPlatform(job: PlatformJob, env: Environment): PlatformClient {
  let loading: Promise<PlatformClient> | undefined;
  const client = (): Promise<PlatformClient> => (loading ??= load(job, env));
  return {
    getArtifact: async (urn) => (await client()).getArtifact(urn),
    uploadArtifact: async (options) => (await client()).uploadArtifact(options),
    addAspect: async (...args) => (await client()).addAspect(...args),
    updateAspect: async (...args) => (await client()).updateAspect(...args),
    listAspects: (filter) => later(async () => (await client()).listAspects(filter)),
    listServices: (filter) => later(async () => (await client()).listServices(filter)),
    getService: async (urn) => (await client()).getService(urn),
    getServiceByName: async (name) => (await client()).getServiceByName(name),
  };
}

async function load(job: PlatformJob, env: Environment): Promise<PlatformClient> {
  const baseUrl = env["PLATFORM_BASE_URL"];
  if (baseUrl === undefined || baseUrl === "") {
    const { createLocalPlatformClient } = await import("./local-platform-client.ts");
    return createLocalPlatformClient(env["TENON_LOCAL_DIR"] || usualFolder);
  }
  const [{ createHttpPlatformClient }, { createPlatformApi }, { createPlatformHttp }, { systemClock }] =
    await Promise.all([
      import("./http-platform-client.ts"),
      import("./platform-api.ts"),
      import("./platform-http.ts"),
      import("./clock.ts"),
    ]);
  const base = baseUrl.replace(/\/+$/, "");
  // Jobs share connections, which know nothing of any job; everything else is their own.
  const shared = ((globalThis as { [key]?: Map<string, PlatformHttp> })[key] ??= new Map());
  const http = shared.get(base) ?? createPlatformHttp(base);
  shared.set(base, http);
  return createHttpPlatformClient(createPlatformApi(http, job, systemClock));
}

async function* later<Item>(list: () => Promise<AsyncIterable<Item>>): AsyncGenerator<Item, void, undefined> {
  yield* await list();
}
