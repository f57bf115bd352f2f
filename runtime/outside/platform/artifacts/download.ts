import { createHash } from "node:crypto";
import type { ArtifactInfo } from "./artifact.ts";
import { apiPath, reasonOf, type Failed, type PlatformApi } from "../sidecar/platform-api.ts";
import { ArtifactIntegrityError } from "../sidecar/platform-errors.ts";
import type { HttpStream } from "../sidecar/platform-http.ts";

/**
 * Streams the whole content of an artifact; an interrupted download resumes. Throws an `ArtifactIntegrityError` when
 * size or digest differ from the platform's record.
 */
export async function* download(api: PlatformApi, info: ArtifactInfo): AsyncGenerator<Uint8Array, void, undefined> {
  const { urn, sha256 } = info;
  const operation = `get artifact ${urn}`;
  const path = apiPath(["artifacts", urn]);
  const hash = sha256 === undefined ? undefined : createHash("sha256");
  let size = info.size;
  let offset = 0;
  let failures = 0;
  for (;;) {
    const before = offset;
    const headers = offset === 0 ? {} : { Range: `bytes=${offset}-` };
    const stream = await api.stream({ operation, method: "GET", path, headers });
    let skip = startOf(operation, stream, offset);
    size ??= lengthOf(stream);
    let failed: Failed | undefined;
    try {
      for await (const piece of stream.body) {
        const fresh = piece.subarray(Math.min(skip, piece.length));
        skip -= piece.length - fresh.length;
        if (fresh.length === 0) continue;
        offset += fresh.length;
        if (size !== undefined && offset > size) throw wrongSize(operation, size, offset);
        hash?.update(fresh);
        yield fresh;
      }
      if (size !== undefined && offset < size) failed = { reason: `only ${offset} of ${size} bytes came` };
    } catch (error) {
      failed = { reason: reasonOf(operation, error) };
    }
    if (failed === undefined) break;
    failures = offset > before ? 1 : failures + 1;
    await api.pause(operation, failures, failed);
  }
  if (hash !== undefined && hash.digest("hex") !== sha256) {
    const problem = "its content does not have the digest that the platform tells. Upload it again.";
    throw new ArtifactIntegrityError(operation, problem);
  }
}

/** Number of bytes at the start of an answer that an earlier answer had already delivered. */
function startOf(operation: string, stream: HttpStream, offset: number): number {
  if (stream.status !== 206) return offset;
  const start = /^bytes (\d+)-/.exec(stream.headers["content-range"] ?? "")?.[1];
  if (start !== undefined && Number(start) <= offset) return offset - Number(start);
  stream.discard();
  throw new ArtifactIntegrityError(operation, "the platform sent another part than requested.");
}

function lengthOf({ status, headers }: HttpStream): number | undefined {
  const text = headers["content-length"];
  return status === 200 && text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function wrongSize(operation: string, size: number, offset: number): ArtifactIntegrityError {
  return new ArtifactIntegrityError(operation, `it should have ${size} bytes, but there are ${offset} or more.`);
}
