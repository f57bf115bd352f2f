import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ArtifactInfo } from "../artifacts/artifact.ts";
import { artifactId, artifactUrn, isArtifactUrn, type ArtifactUrn } from "../artifacts/artifact-urn.ts";
import { fileOf, readJson, writeJson } from "./local-files.ts";
import { ResourceNotFoundError } from "../sidecar/platform-errors.ts";
import type { Upload } from "../artifacts/upload-content.ts";

/** Storage of artifacts: a folder, or memory. */
export interface LocalArtifacts {
  info(urn: string): Promise<ArtifactInfo>;
  read(urn: ArtifactUrn): AsyncIterable<Uint8Array>;
  store(upload: Upload): Promise<ArtifactInfo>;
}

/**
 * Artifacts as files: `artifacts/<id>` is the content; `artifact-info/<id>.json` has the metadata and may be missing.
 */
export function createLocalArtifacts(root: string): LocalArtifacts {
  const contents = join(root, "artifacts");
  const infos = join(root, "artifact-info");
  return {
    async info(urn) {
      // The caller's text may be of any length; a valid URN is never cut.
      const operation = `get artifact ${String(urn).slice(0, 250)}`;
      const id = isArtifactUrn(urn) ? artifactId(urn) : "";
      const file = fileOf(contents, id);
      if (!isArtifactUrn(urn) || file === undefined) {
        const problem = "it is not a URN of a local artifact, urn:platform:artifact:<file name>.";
        throw new ResourceNotFoundError(operation, problem);
      }
      // Symbolic links are refused, since they could lead anywhere.
      const found = await lstat(file).catch(() => undefined);
      if (found?.isFile() !== true) {
        const problem = `there is no file ${file}. Put it there, or set PLATFORM_BASE_URL to use a platform.`;
        throw new ResourceNotFoundError(operation, problem);
      }
      const { name, contentType, sha256 } = (await readJson(join(infos, `${id}.json`))) ?? {};
      return {
        urn,
        name: typeof name === "string" ? name : id,
        contentType: typeof contentType === "string" ? contentType : "application/octet-stream",
        size: found.size,
        sha256: typeof sha256 === "string" ? sha256 : undefined,
        status: "ready",
      };
    },
    async *read(urn) {
      const file = fileOf(contents, artifactId(urn));
      if (file !== undefined) yield* createReadStream(file) as AsyncIterable<Buffer>;
    },
    async store({ name, contentType, policy, collection, pieces }) {
      const id = randomUUID();
      const urn = artifactUrn(id);
      await mkdir(contents, { recursive: true });
      const file = join(contents, id);
      const temporary = join(contents, `.${id}.tmp`);
      const hash = createHash("sha256");
      let size = 0;
      const count = new Transform({
        transform(piece: Buffer, _encoding, done) {
          hash.update(piece);
          size += piece.length;
          done(null, piece);
        },
      });
      try {
        await pipeline(
          Readable.from(pieces, { objectMode: false }),
          count,
          createWriteStream(temporary, { flags: "wx" }),
        );
        const sha256 = hash.digest("hex");
        await writeJson(join(infos, `${id}.json`), { name, contentType, sha256, policy, collection });
        await rename(temporary, file);
        return { urn, name, contentType, size, sha256, status: "ready" };
      } finally {
        await rm(temporary, { force: true });
      }
    },
  };
}
