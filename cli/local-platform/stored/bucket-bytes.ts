import { createHash } from "node:crypto";
import { createReadStream, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { newJobUrn } from "../../../runtime/job/job-id.ts";
import { ToolError } from "../../../runtime/base/errors.ts";
import type { ArtifactBytes, ByteRange, TakenContent } from "./artifact-bytes.ts";
import type { Bucket, ListedObject } from "./bucket.ts";
import { fileName, hasRoom, writeAt } from "./folder-bytes.ts";

/** Bytes of the largest object that can be uploaded to a bucket in one request. */
const largest = 5 * 1024 ** 3;

/** A chunk of an unfinished content. */
interface Piece extends ListedObject {
  readonly offset: number;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
}

/**
 * Stores contents as objects of a bucket. Each content is first written to a file of this replica, because a bucket
 * needs the length of an object in advance, and the digest must be checked before the object exists. Each chunk of a
 * content becomes an object, so that any replica can receive the next chunk.
 */
export class BucketBytes implements ArtifactBytes {
  readonly #bucket: Bucket;
  /** Folder for contents that are being uploaded. */
  readonly #folder: string;

  constructor(bucket: Bucket, folder: string) {
    this.#bucket = bucket;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  async begin(): Promise<void> {
    // Nothing is created here: the first chunk creates the first object.
  }

  async received(id: string): Promise<number> {
    const last = inOrder(await this.#found(id)).at(-1);
    return last === undefined ? 0 : last.offset + last.size;
  }

  async append(
    id: string,
    {
      offset,
      content,
      sha256,
    }: { readonly offset: number; readonly content: Readable; readonly sha256: string | undefined },
  ): Promise<number | undefined> {
    return this.#throughFile(content, async (file, { size, digest }) => {
      if (sha256 !== undefined && digest !== sha256) return undefined;
      if (size > 0) await this.#bucket.put(pieceKey(id, offset, digest), createReadStream(file), size);
      return offset + size;
    });
  }

  async finish(
    id: string,
    isRight: (taken: TakenContent) => boolean,
    record: (taken: TakenContent) => Promise<void>,
  ): Promise<boolean> {
    const found = await this.#found(id);
    const all = Readable.from(this.#contentOf(inOrder(found)), { objectMode: false });
    return this.#throughFile(all, async (file, taken) => {
      if (!isRight(taken)) return false;
      await this.#putWhole(id, file, taken);
      // Pieces that are removed before would be lost to whoever goes on after a crash.
      await record(taken);
      for (const { key } of found) await this.#bucket.remove(key);
      return true;
    });
  }

  async cut(id: string, offset: number): Promise<void> {
    for (const piece of await this.#found(id)) if (piece.offset >= offset) await this.#bucket.remove(piece.key);
  }

  async store(id: string, content: Readable, check: (taken: TakenContent) => void): Promise<TakenContent> {
    return this.#throughFile(content, async (file, taken) => {
      check(taken);
      await this.#putWhole(id, file, taken);
      return taken;
    });
  }

  read(id: string, range: ByteRange): Promise<Readable> {
    return this.#bucket.get(fileName(id), range);
  }

  async remove(id: string): Promise<void> {
    for (const { key } of await this.#found(id)) await this.#bucket.remove(key);
    await this.#bucket.remove(fileName(id));
  }

  hasRoom(): boolean {
    return hasRoom(this.#folder);
  }

  async *#contentOf(pieces: readonly Piece[]): AsyncGenerator<Buffer, void, undefined> {
    for (const { key, size, digest } of pieces) {
      const content = (await this.#bucket.get(key, { start: 0, end: size - 1 })) as AsyncIterable<Buffer>;
      const hash = createHash("sha256");
      try {
        for await (const chunk of content) {
          hash.update(chunk);
          yield chunk;
        }
        if (hash.digest("hex") !== digest) throw new Error("it answers with other bytes of a piece than were stored.");
      } catch (error) {
        throw this.#bucket.unreadable(error);
      }
    }
  }

  async #putWhole(id: string, file: string, { size }: TakenContent): Promise<void> {
    if (size > largest) {
      throw new ToolError("too-large", `A bucket takes artifacts of up to ${largest / 1024 ** 3} GiB.`);
    }
    await this.#bucket.put(fileName(id), createReadStream(file), size);
  }

  async #found(id: string): Promise<readonly Piece[]> {
    const found = await this.#bucket.list(`${fileName(id)}.part/`);
    return found.flatMap(({ key, size }) => {
      const [, offset, digest] = /\/(\d{16})-([\da-f]{64})$/.exec(key) ?? [];
      return offset === undefined || digest === undefined ? [] : [{ key, size, offset: Number(offset), digest }];
    });
  }

  async #throughFile<T>(content: Readable, use: (file: string, taken: TakenContent) => Promise<T>): Promise<T> {
    const file = join(this.#folder, fileName(newJobUrn()));
    try {
      return await use(file, await writeAt(file, 0, content));
    } finally {
      await rm(file, { force: true });
    }
  }
}

/** The contiguous chunks of an unfinished content, in order. */
function inOrder(found: readonly Piece[]): readonly Piece[] {
  let end = 0;
  return found
    .toSorted((one, other) => one.offset - other.offset)
    .filter(({ offset, size }) => {
      if (offset !== end) return false;
      end += size;
      return true;
    });
}

/**
 * Offsets are padded with zeros, so that listing them gives their order. The digest shows later whether the bucket
 * still has these bytes.
 */
function pieceKey(id: string, offset: number, digest: string): string {
  return `${fileName(id)}.part/${String(offset).padStart(16, "0")}-${digest}`;
}
