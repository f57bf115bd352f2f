import { createHash } from "node:crypto";
import type { ArtifactInfo } from "../../outside/platform/artifacts/artifact.ts";
import { artifactUrn } from "../../outside/platform/artifacts/artifact-urn.ts";
import type { LocalArtifacts } from "../../outside/platform/local/local-artifacts.ts";
import type { AspectStore, StoredAspect } from "../../outside/platform/local/local-aspects.ts";
import { ResourceNotFoundError } from "../../outside/platform/sidecar/platform-errors.ts";

/** Artifacts of a fake platform, by URN. */
export interface MemoryArtifacts extends LocalArtifacts {
  /** All artifacts, in the order in which they were stored. */
  list(): readonly ArtifactInfo[];
}

/** Creates an empty storage of artifacts in memory. */
export function createMemoryArtifacts(): MemoryArtifacts {
  const stored = new Map<string, { readonly info: ArtifactInfo; readonly content: Buffer }>();
  return {
    list: () => [...stored.values()].map(({ info }) => info),
    async info(urn) {
      const found = stored.get(urn);
      if (found !== undefined) return found.info;
      const problem = "the fake platform has none of that URN; store it before with uploadArtifact().";
      throw new ResourceNotFoundError(`get artifact ${String(urn).slice(0, 250)}`, problem);
    },
    async *read(urn) {
      const found = stored.get(urn);
      if (found !== undefined) yield found.content;
    },
    async store({ name, contentType, pieces }) {
      const chunks: Uint8Array[] = [];
      // The bytes are copied, since the source may reuse its buffer.
      for await (const piece of pieces) chunks.push(Buffer.from(piece));
      const content = Buffer.concat(chunks);
      const sha256 = createHash("sha256").update(content).digest("hex");
      // The URN contains a number instead of a random id, so that a test can name the artifact.
      const urn = artifactUrn(`test-${stored.size + 1}`);
      const info: ArtifactInfo = { urn, name, contentType, size: content.length, sha256, status: "ready" };
      stored.set(urn, { info, content });
      return info;
    },
  };
}

/** Aspects of a fake platform. */
export function createMemoryAspects(): AspectStore {
  const stored = new Map<string, StoredAspect>();
  return {
    place: "the fake platform",
    read: async (id) => stored.get(id),
    async write(id, aspect) {
      stored.set(id, aspect);
    },
    all: async () => [...stored.values()],
  };
}
