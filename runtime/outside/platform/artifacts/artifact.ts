import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ByteGatherer } from "../../../base/byte-gatherer.ts";
import type { ArtifactUrn } from "./artifact-urn.ts";
import type { Aspect } from "../aspects.ts";
import { PlatformError } from "../sidecar/platform-errors.ts";

/** The platform's record of a stored file. */
export interface ArtifactInfo {
  readonly urn: ArtifactUrn;
  /** Name from the uploader: any text, never a path to open. */
  readonly name?: string | undefined;
  readonly contentType?: string | undefined;
  /** Size in bytes. */
  readonly size?: number | undefined;
  /** Digest of the content in hexadecimal digits. */
  readonly sha256?: string | undefined;
  /** `ready`; or `pending`, `partial` or `error` while or after an upload. */
  readonly status?: string | undefined;
}

/** A temporary copy of an artifact on this machine: `await using file = await artifact.asLocalFile()`. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string;
}

export interface LocalFileOptions {
  /** Destination of the copy; such a file is not removed. Default: a file in a temporary folder, which is removed. */
  readonly path?: string;
  /** Maximum size of the copy in bytes; default 1 GiB. */
  readonly maxBytes?: number;
}

/** A stored file of the platform. */
export interface Artifact extends ArtifactInfo {
  /** The content as a stream, checked against its size and digest. Every call starts at the beginning. */
  stream(): ReadableStream<Uint8Array>;
  /** Reads the whole content; for small artifacts. */
  bytes(options?: { readonly maxBytes?: number }): Promise<Uint8Array>;
  /** Copies the content to a temporary file, which is removed when the copy is disposed. */
  asLocalFile(options?: LocalFileOptions): Promise<LocalFile>;
  /** Lists the aspects of the artifact: all, or those of one schema (`%` matches any text). */
  metadata(schema?: string): AsyncIterable<Aspect>;
  /** Attaches an aspect to the artifact. */
  addMetadata(aspect: object, options?: { readonly schema?: string; readonly policy?: string }): Promise<Aspect>;
}

/** Data source of an artifact, on the platform or in a folder. */
export interface ArtifactSource {
  readonly info: ArtifactInfo;
  read(): AsyncIterable<Uint8Array>;
  metadata: Artifact["metadata"];
  addMetadata: Artifact["addMetadata"];
}

const largestFile = 1024 ** 3;
const largestInMemory = 256 * 1024 ** 2;

/** Creates an artifact that reads its content from `source` on demand. */
export function createArtifact({ info, read, metadata, addMetadata }: ArtifactSource): Artifact {
  const limited = (maxBytes: number): AsyncIterable<Uint8Array> => limit(read, info, maxBytes);
  return {
    ...info,
    metadata,
    addMetadata,
    stream: () => ReadableStream.from(read()),
    async bytes({ maxBytes = largestInMemory } = {}) {
      const bytes = new ByteGatherer(info.size);
      for await (const chunk of limited(maxBytes)) bytes.add(chunk);
      return bytes.whole();
    },
    async asLocalFile({ path, maxBytes = largestFile } = {}) {
      if (path !== undefined) {
        await save(limited(maxBytes), path, "w");
        return { path, async [Symbol.asyncDispose]() {} };
      }
      const folder = await mkdtemp(join(tmpdir(), "tenon-artifact-"));
      const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
      try {
        // The file has a fixed name, since the artifact's own name was chosen by other people.
        const file = join(folder, "artifact");
        await save(limited(maxBytes), file, "wx");
        return { path: file, [Symbol.asyncDispose]: remove };
      } catch (error) {
        await remove();
        throw error;
      }
    },
  };
}

async function* limit(
  read: () => AsyncIterable<Uint8Array>,
  { urn, size }: ArtifactInfo,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tooLarge = (): PlatformError =>
    new PlatformError(
      `get artifact ${urn}`,
      `it has more than ${maxBytes} bytes. Read it with stream(), or allow more with maxBytes.`,
    );
  if (size !== undefined && size > maxBytes) throw tooLarge();
  let count = 0;
  for await (const chunk of read()) {
    count += chunk.length;
    if (count > maxBytes) throw tooLarge();
    yield chunk;
  }
}

async function save(content: AsyncIterable<Uint8Array>, path: string, flags: "w" | "wx"): Promise<void> {
  await pipeline(Readable.from(content, { objectMode: false }), createWriteStream(path, { flags, mode: 0o600 }));
}
