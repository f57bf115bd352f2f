import { createArtifact, type Artifact, type ArtifactInfo } from "./artifacts/artifact.ts";
import { readArtifactInfo } from "./artifacts/artifact-headers.ts";
import { isArtifactUrn } from "./artifacts/artifact-urn.ts";
import { createAspects } from "./aspects.ts";
import { download } from "./artifacts/download.ts";
import { apiPath, type PlatformApi } from "./sidecar/platform-api.ts";
import type { PlatformClient } from "./platform-client.ts";
import { PlatformError, ResourceNotFoundError } from "./sidecar/platform-errors.ts";
import { createServices } from "./services.ts";
import { readUpload } from "./artifacts/upload-content.ts";
import { upload } from "./artifacts/upload.ts";

/** Creates the client that calls the platform's sidecar. */
export function createHttpPlatformClient(api: PlatformApi): PlatformClient {
  const aspects = createAspects(api);
  const services = createServices(api);
  const artifact = (info: ArtifactInfo): Artifact =>
    createArtifact({
      info,
      read: () => download(api, info),
      metadata: (schema) => aspects.list({ entity: info.urn, ...(schema === undefined ? {} : { schema }) }),
      addMetadata: (aspect, options) => aspects.add(info.urn, aspect, options),
    });
  return {
    getArtifact: async (urn) => artifact(await head(api, urn)),
    uploadArtifact: async (options) => artifact(await upload(api, await readUpload(options))),
    addAspect: aspects.add,
    updateAspect: aspects.update,
    listAspects: aspects.list,
    listServices: services.list,
    getService: async (urn) => services.get(urn),
    getServiceByName: services.byName,
  };
}

async function head(api: PlatformApi, urn: string): Promise<ArtifactInfo> {
  // The caller's text may be of any length; a valid URN is never cut.
  const operation = `get artifact ${String(urn).slice(0, 250)}`;
  if (!isArtifactUrn(urn)) {
    throw new ResourceNotFoundError(operation, "it is not a URN of an artifact, urn:platform:artifact:<id>.");
  }
  try {
    const answer = await api.call({ operation, method: "HEAD", path: apiPath(["artifacts", urn]) });
    return readArtifactInfo(urn, answer.headers);
  } catch (error) {
    // The sidecar may support only GET; size and type then stay unknown.
    if (error instanceof PlatformError && (error.status === 405 || error.status === 501)) return { urn };
    throw error;
  }
}
