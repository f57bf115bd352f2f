import { platformKey } from "../../contract/process-keys.ts";
import type { PlatformJob } from "./sidecar/platform-api.ts";
import type { PlatformClient } from "./platform-client.ts";
import type { PlatformHttp } from "./sidecar/platform-http.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";

/**
 * The platform client of one job. Its code is loaded with the first operation, so that services without the platform do
 * not pay for it.
 */
export function createJobPlatform(job: PlatformJob, settings: PlatformSettings): PlatformClient {
  let loading: Promise<PlatformClient> | undefined;
  const client = (): Promise<PlatformClient> => (loading ??= load(job, settings));
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

async function load(job: PlatformJob, settings: PlatformSettings): Promise<PlatformClient> {
  const { baseUrl, localDir, timeout } = settings;
  if (baseUrl === undefined) {
    const { createLocalPlatformClient } = await import("./local-platform-client.ts");
    return createLocalPlatformClient(localDir);
  }
  const [{ createHttpPlatformClient }, { createPlatformApi }, { createPlatformHttp }, { systemClock }] =
    await Promise.all([
      import("./http-platform-client.ts"),
      import("./sidecar/platform-api.ts"),
      import("./sidecar/platform-http.ts"),
      import("../../base/clock.ts"),
    ]);
  // Jobs share connections, which have no data of a job; everything else is separate.
  const shared = ((globalThis as { [platformKey]?: Map<string, PlatformHttp> })[platformKey] ??= new Map());
  const http = shared.get(baseUrl) ?? createPlatformHttp(baseUrl);
  shared.set(baseUrl, http);
  return createHttpPlatformClient(createPlatformApi(http, job, settings.clock ?? systemClock, timeout));
}

async function* later<Item>(list: () => Promise<AsyncIterable<Item>>): AsyncGenerator<Item, void, undefined> {
  yield* await list();
}
