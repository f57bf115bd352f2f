import { createHash, randomUUID } from "node:crypto";
import type { ArtifactInfo } from "./artifact.ts";
import { readArtifactInfo } from "./artifact-headers.ts";
import { isArtifactUrn } from "./artifact-urn.ts";
import {
  apiPath,
  errorOfAnswer,
  jsonOf,
  type ApiRequest,
  type Failed,
  type PlatformApi,
} from "../sidecar/platform-api.ts";
import { ArtifactIntegrityError, PlatformError } from "../sidecar/platform-errors.ts";
import type { SidecarAnswer } from "../sidecar/sidecar-client.ts";
import { chunks, type Chunk, type Upload } from "./upload-content.ts";

/** Statuses of an artifact without its whole content. */
const incomplete: ReadonlySet<string> = new Set(["pending", "partial", "error"]);
const protocol = { "Tus-Resumable": "1.0.0" };

/**
 * Stores a file: a small one in one request, others in chunks. An interrupted chunk resumes at the byte that the
 * platform has. Every chunk and the whole carry their SHA-256.
 */
export async function upload(api: PlatformApi, options: Upload): Promise<ArtifactInfo> {
  const operation = `upload artifact ${JSON.stringify(options.name)}`;
  const hash = createHash("sha256");
  let target: string | undefined;
  let created: ArtifactInfo | undefined;
  let offset = 0;
  for await (const chunk of chunks(options)) {
    hash.update(chunk.bytes);
    const digest = chunk.last ? hash.digest() : undefined;
    const size = offset + chunk.bytes.length;
    if (options.size !== undefined && (chunk.last ? size !== options.size : size > options.size)) {
      const problem = `its content has ${chunk.last ? "" : "at least "}${size} bytes, but ${options.size} were announced.`;
      throw new PlatformError(operation, problem);
    }
    if (created === undefined || target === undefined) {
      const answer = await create(api, operation, options, digest && { bytes: chunk.bytes, digest });
      created = readCreated(operation, answer, options);
      if (digest !== undefined) return checkWhole(operation, { ...created, size: chunk.bytes.length }, digest, answer);
      target = hrefOf(operation, answer, created.urn);
    }
    await sendChunk(api, operation, { target, start: offset, chunk, digest, size: options.size });
    offset += chunk.bytes.length;
    if (digest !== undefined) return finish(api, operation, created, offset, digest.toString("hex"));
  }
  throw new PlatformError(operation, "its content had no end.");
}

function create(
  api: PlatformApi,
  operation: string,
  { name, contentType, policy, collection, size }: Upload,
  whole: { readonly bytes: Uint8Array; readonly digest: Buffer } | undefined,
): Promise<SidecarAnswer> {
  const length: Record<string, string> =
    size === undefined ? { "Upload-Defer-Length": "1" } : { "X-Content-Length": String(size) };
  const form: Record<string, string> =
    whole === undefined
      ? { ...protocol, ...length, "X-Content-Type": contentType }
      : { "Content-Type": contentType, "Repr-Digest": reprDigest(whole.digest) };
  return api.call({
    operation,
    method: "POST",
    path: apiPath(["artifacts"]),
    headers: {
      ...form,
      "X-Name": Buffer.from(name.toWellFormed()).toString("base64"),
      ...(policy === undefined ? {} : { "X-Policy": policy }),
      ...(collection === undefined ? {} : { "X-Collection": collection }),
      // The idempotency key prevents a second artifact: a request whose answer was lost is retried.
      "Idempotency-Key": randomUUID(),
    },
    ...(whole === undefined ? {} : { body: whole.bytes }),
  });
}

interface Part {
  readonly target: string;
  /** Offset of the chunk. */
  readonly start: number;
  readonly chunk: Chunk;
  /** Digest of the whole content; sent with its last chunk. */
  readonly digest: Buffer | undefined;
  /** Size of the whole content, if it is known. */
  readonly size: number | undefined;
}

async function sendChunk(api: PlatformApi, operation: string, part: Part): Promise<void> {
  const { target, start, chunk, digest, size } = part;
  const end = start + chunk.bytes.length;
  let offset = start;
  let failures = 0;
  for (;;) {
    const bytes = chunk.bytes.subarray(offset - start);
    const headers: Record<string, string> = {
      ...protocol,
      "Content-Type": "application/offset+octet-stream",
      "Upload-Offset": String(offset),
      "Upload-Checksum": `sha256 ${createHash("sha256").update(bytes).digest("base64")}`,
      ...(digest === undefined ? {} : { "Repr-Digest": reprDigest(digest) }),
      ...(digest === undefined || size !== undefined ? {} : { "Upload-Length": String(end) }),
    };
    const tried = await api.once({ operation, method: "PATCH", path: target, headers, body: bytes });
    const next = tried.failed === undefined ? offsetOf(tried.answer) : undefined;
    if (tried.failed === undefined && next === end && isSuccess(tried.answer)) return;
    const failed = tried.failed ?? failureOf(operation, tried.answer);
    await api.pause(operation, ++failures, failed);
    const known = await askOffset(api, operation, target);
    if (known < start || known > end) {
      const problem = `the platform has ${known} bytes where ${start} to ${end} were expected. Upload it again.`;
      throw new ArtifactIntegrityError(operation, problem);
    }
    if (known > offset) failures = 1;
    offset = known;
    // The last chunk was already stored, and only the answer was lost.
    if (offset === end && end > start) return;
  }
}

/**
 * After a success with an unexpected offset, or a conflict, the client requests the platform's offset. 460: the chunk
 * was corrupted.
 */
function failureOf(operation: string, answer: SidecarAnswer): Failed {
  const { status } = answer;
  if (isSuccess(answer)) return { reason: "the platform did not take the whole chunk", status };
  if (status === 409) return { reason: "the platform is at another place of the file", status };
  if (status === 460) return { reason: "a chunk was garbled on its way", status };
  throw errorOfAnswer(operation, answer);
}

async function askOffset(api: PlatformApi, operation: string, target: string): Promise<number> {
  const answer = await api.call({ operation, method: "HEAD", path: target, headers: protocol });
  const offset = offsetOf(answer);
  if (offset !== undefined) return offset;
  throw new PlatformError(operation, "the platform does not report how much it has received. Upload it again.");
}

async function finish(
  api: PlatformApi,
  operation: string,
  created: ArtifactInfo,
  size: number,
  sha256: string,
): Promise<ArtifactInfo> {
  const request: ApiRequest = { operation, method: "HEAD", path: apiPath(["artifacts", created.urn]) };
  const told = readArtifactInfo(created.urn, (await api.call(request)).headers);
  if ((told.size ?? size) !== size || (told.sha256 ?? sha256) !== sha256 || told.status === "error") {
    const problem = `the platform has stored something else (${told.size} bytes, status ${told.status}). Upload it again.`;
    throw new ArtifactIntegrityError(operation, problem);
  }
  return { ...created, size, sha256, status: told.status ?? "ready" };
}

/** Checks the answer to a request with the whole content. A platform that waits for content has not stored it. */
function checkWhole(operation: string, info: ArtifactInfo, digest: Buffer, answer: SidecarAnswer): ArtifactInfo {
  if (info.status !== undefined && incomplete.has(info.status)) {
    const problem = `the platform answered with the status ${info.status}, although it was sent the whole content. Upload it again.`;
    throw new ArtifactIntegrityError(operation, problem);
  }
  const sha256 = digest.toString("hex");
  const told = readArtifactInfo(info.urn, answer.headers).sha256;
  if (told === undefined || told === sha256) return { ...info, sha256 };
  throw new ArtifactIntegrityError(operation, "the platform has stored something else. Upload it again.");
}

function readCreated(operation: string, answer: SidecarAnswer, { name, contentType }: Upload): ArtifactInfo {
  const { id, status } = jsonOf(operation, answer);
  if (!isArtifactUrn(id)) {
    throw new PlatformError(operation, `the platform answered with the id ${JSON.stringify(id)}, which is not a URN.`);
  }
  return { urn: id, name, contentType, status: typeof status === "string" ? status : undefined };
}

/** Path to which the content is sent. The host is ignored: content is never sent to another host. */
function hrefOf(operation: string, answer: SidecarAnswer, urn: string): string {
  const href = jsonOf(operation, answer)["data-href"];
  const url = typeof href === "string" ? URL.parse(href, "http://platform/") : null;
  // The path is below the base URL, like the request that created it, whatever prefix the platform's own address has.
  const path = /\/artifacts\/.*$/.exec(url?.pathname ?? "")?.[0];
  return url === null || path === undefined ? apiPath(["artifacts", urn, "blob"]) : path + url.search;
}

function offsetOf({ headers }: SidecarAnswer): number | undefined {
  const text = headers["upload-offset"];
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function isSuccess({ status }: SidecarAnswer): boolean {
  return status >= 200 && status < 300;
}

function reprDigest(digest: Buffer): string {
  return `sha-256=:${digest.toString("base64")}:`;
}
