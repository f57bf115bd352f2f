import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { brief } from "../../../base/brief.ts";

/** Content that can be stored. For a file, use `file`. */
export type UploadContent = Uint8Array | string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file to store: `content`, or a `file` of this machine. */
export interface UploadOptions {
  /** Name for people. */
  readonly name: string;
  readonly content?: UploadContent;
  /** Path of a local file whose content is stored. */
  readonly file?: string;
  /** Default: `text/plain; charset=utf-8` for a string, a blob's own type, else `application/octet-stream`. */
  readonly contentType?: string;
  /** Size in bytes of a stream, if you know it. */
  readonly size?: number;
  /** Access policy, `urn:platform:policy:…`. */
  readonly policy?: string;
  /** Collection to which the file is added. */
  readonly collection?: string;
  /** Bytes per request, and thus per retry after a failure; default 4 MiB. */
  readonly chunkSize?: number;
}

/** Checked options, with one kind of content. */
export interface Upload {
  readonly name: string;
  readonly contentType: string;
  readonly size: number | undefined;
  readonly policy: string | undefined;
  readonly collection: string | undefined;
  readonly chunkSize: number;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** A part of the content. Only if the whole content is empty, the last chunk is empty. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

const usualChunk = 4 * 1024 * 1024;
const legalHeader = /^[\x20-\x7e]{1,500}$/;

/** Checks the options of an upload. Throws a `TypeError` for a mistake of the author. */
export async function readUpload(options: UploadOptions): Promise<Upload> {
  const { name, content, file, policy, collection, chunkSize = usualChunk } = options;
  if (typeof name !== "string" || name === "") throw new TypeError("uploadArtifact needs a name.");
  if ((content === undefined) === (file === undefined)) {
    throw new TypeError("uploadArtifact needs either content or file.");
  }
  if (policy !== undefined && !(policy.startsWith("urn:platform:policy:") && legalHeader.test(policy))) {
    throw new TypeError(`The policy ${brief(policy)} must begin with urn:platform:policy:.`);
  }
  if (collection !== undefined && !legalHeader.test(collection)) {
    throw new TypeError(`${brief(collection)} is not a URN of a collection.`);
  }
  if (!Number.isSafeInteger(chunkSize) || chunkSize < 1) throw new TypeError("chunkSize must be a number of bytes.");
  const contentType = options.contentType ?? typeOf(content);
  if (!legalHeader.test(contentType)) throw new TypeError(`${brief(contentType)} is not a valid content type.`);
  const common = { name, contentType, policy, collection, chunkSize };
  if (file !== undefined) {
    const found = await stat(file);
    // The size of a pipe is unknown, so only the size of a regular file is used.
    const size = options.size ?? (found.isFile() ? found.size : undefined);
    return { ...common, size, pieces: createReadStream(file) };
  }
  if (typeof content === "string") return { ...common, ...whole(Buffer.from(content)) };
  if (content instanceof Uint8Array) return { ...common, ...whole(content) };
  if (content instanceof Blob) return { ...common, size: content.size, pieces: content.stream() };
  if (typeof content === "object" && Symbol.asyncIterator in content) {
    return { ...common, size: options.size, pieces: content };
  }
  throw new TypeError("The content of an artifact is bytes, a string, a Blob or a stream of bytes.");
}

/** Splits the content into chunks of one size; only the last chunk may be smaller. */
export async function* chunks(upload: Pick<Upload, "pieces" | "chunkSize">): AsyncGenerator<Chunk, void, undefined> {
  const { pieces, chunkSize } = upload;
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    if (!(piece instanceof Uint8Array)) throw new TypeError("A stream of an artifact must give bytes (Uint8Array).");
    let rest: Uint8Array = piece;
    // The last chunk is held back until it is known to be the last, since it must be marked.
    while (size + rest.length > chunkSize) {
      const part = rest.subarray(0, chunkSize - size);
      yield { bytes: Buffer.concat([...held, part]), last: false };
      rest = rest.subarray(part.length);
      held = [];
      size = 0;
    }
    // Copied, since the source may reuse its buffer.
    if (rest.length > 0) held.push(Buffer.from(rest));
    size += rest.length;
  }
  yield { bytes: Buffer.concat(held), last: true };
}

function whole(bytes: Uint8Array): Pick<Upload, "size" | "pieces"> {
  return { size: bytes.length, pieces: once(bytes) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

function typeOf(content: UploadContent | undefined): string {
  if (typeof content === "string") return "text/plain; charset=utf-8";
  return (content instanceof Blob && content.type) || "application/octet-stream";
}
