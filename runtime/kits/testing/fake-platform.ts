import type { Artifact } from "../../outside/platform/artifacts/artifact.ts";
import { createLocalAspects } from "../../outside/platform/local/local-aspects.ts";
import { localOperations } from "../../outside/platform/local-platform-client.ts";
import type { PlatformClient } from "../../outside/platform/platform-client.ts";
import { createServices } from "../../outside/platform/services.ts";
import { createFakeServices, type FakeService, type ServiceRequest } from "./fake-services.ts";
import { createMemoryArtifacts, createMemoryAspects } from "./memory-artifacts.ts";

export interface FakePlatformOptions {
  /** Services that jobs can call. */
  readonly services?: readonly FakeService[];
}

/** A platform in memory, with the interface of `job.platform`. */
export interface FakePlatform extends PlatformClient {
  /** All artifacts, in the order in which they were stored. */
  artifacts(): Promise<readonly Artifact[]>;
  /** Requests to services, in order. */
  readonly requests: readonly ServiceRequest[];
}

/**
 * Creates an empty platform in memory. Give it to `callTool` as `platform`, add what the tool needs, and read what the
 * tool stored.
 *
 * ```ts
 * const platform = fakePlatform({ services: [{ name: "Echo", run: (request) => request }] });
 * const { urn } = await platform.uploadArtifact({ name: "in.md", content: "# Title" });
 * await callTool(convert, { document: urn }, { platform });
 * expect((await platform.artifacts()).map(({ name }) => name)).toEqual(["in.md", "in.html"]);
 * ```
 */
export function createFakePlatform({ services: given = [] }: FakePlatformOptions = {}): FakePlatform {
  const artifacts = createMemoryArtifacts();
  const local = localOperations(artifacts, createLocalAspects(createMemoryAspects()));
  const { api, requests } = createFakeServices(given);
  const services = createServices(api);
  return {
    ...local,
    listServices: services.list,
    getService: async (urn) => services.get(urn),
    getServiceByName: services.byName,
    artifacts: () => Promise.all(artifacts.list().map(({ urn }) => local.getArtifact(urn))),
    requests,
  };
}
