import { createArtifact, type Artifact, type ArtifactInfo } from "./artifacts/artifact.ts";
import type { Aspects } from "./aspects.ts";
import { createLocalArtifacts, type LocalArtifacts } from "./local/local-artifacts.ts";
import { createLocalAspects, type AspectStore, type StoredAspect } from "./local/local-aspects.ts";
import type { PlatformClient } from "./platform-client.ts";
import { PlatformError } from "./sidecar/platform-errors.ts";
import { readUpload } from "./artifacts/upload-content.ts";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileOf, readJson, writeJson } from "./local/local-files.ts";

/** Operations of the client that work without a platform. */
export type LocalOperations = Omit<PlatformClient, "listServices" | "getService" | "getServiceByName">;

/**
 * Creates the client without a platform. Files in its folder:
 *
 * - `artifacts/<id>`: the content of `urn:platform:artifact:<id>`. A file that you put there is an artifact.
 * - `artifact-info/<id>.json`: name, content type and digest of an artifact that was uploaded.
 * - `aspects/<id>.json`: an aspect, `urn:platform:aspect:<id>`.
 *
 * There are no services.
 */
export function createLocalPlatformClient(folder: string): PlatformClient {
  return {
    ...localOperations(createLocalArtifacts(folder), createLocalAspects(createAspectFiles(folder))),
    async *listServices() {},
    getService: async (urn) => Promise.reject(noServices(`get service ${urn}`)),
    getServiceByName: async (name) => Promise.reject(noServices(`get service ${JSON.stringify(name)}`)),
  };
}

/** Operations on artifacts and aspects in any storage. */
export function localOperations(artifacts: LocalArtifacts, aspects: Aspects): LocalOperations {
  const artifact = (info: ArtifactInfo): Artifact =>
    createArtifact({
      info,
      read: () => artifacts.read(info.urn),
      metadata: (schema) => aspects.list({ entity: info.urn, ...(schema === undefined ? {} : { schema }) }),
      addMetadata: (aspect, options) => aspects.add(info.urn, aspect, options),
    });
  return {
    getArtifact: async (urn) => artifact(await artifacts.info(urn)),
    uploadArtifact: async (options) => artifact(await artifacts.store(await readUpload(options))),
    addAspect: aspects.add,
    updateAspect: aspects.update,
    listAspects: aspects.list,
  };
}

function noServices(operation: string): PlatformError {
  return new PlatformError(operation, "services exist on a platform only. Set PLATFORM_BASE_URL to use one.");
}

/** Aspects as files, `aspects/<id>.json`. */
function createAspectFiles(root: string): AspectStore {
  const folder = join(root, "aspects");
  return {
    place: folder,
    async read(id) {
      const file = fileOf(folder, id, ".json");
      return file === undefined ? undefined : readJson(file);
    },
    write: (id, stored) => writeJson(join(folder, `${id}.json`), stored),
    async all() {
      const names = (await readdir(folder).catch(() => [])).toSorted();
      const found: StoredAspect[] = [];
      for (const name of names) {
        const stored = name.endsWith(".json") ? await readJson(join(folder, name)) : undefined;
        if (stored !== undefined) found.push(stored);
      }
      return found;
    },
  };
}
