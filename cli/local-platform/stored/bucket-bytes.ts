import { createReadStream, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { newJobUrn } from "../../../runtime/job/job-id.ts";
import { ToolError } from "../../../runtime/base/errors.ts";
import type { ArtifactBytes, ByteRange, TakenContent } from "./artifact-bytes.ts";
import type { Bucket } from "./bucket.ts";
import { fileName, hasRoom, writeAt } from "./folder-bytes.ts";

/** Bytes of the largest object that can be uploaded to a bucket in one request. */
const largest = 5 * 1024 ** 3;

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
    const last = (await this.#pieces(id)).at(-1);
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
      if (size > 0) await this.#bucket.put(pieceKey(id, offset), createReadStream(file), size);
      return offset + size;
    });
  }

  async finish(
    id: string,
    isRight: (taken: TakenContent) => boolean,
    record: (taken: TakenContent) => Promise<void>,
  ): Promise<boolean> {
    const pieces = await this.#pieces(id);
    const bucket = this.#bucket;
    const all = Readable.from(
      (async function* (): AsyncGenerator<Buffer> {
        for (const { key, size } of pieces)
          yield* (await bucket.get(key, { start: 0, end: size - 1 })) as AsyncIterable<Buffer>;
      })(),
      { objectMode: false },
    );
    return this.#throughFile(all, async (file, taken) => {
      if (!isRight(taken)) return false;
      await this.#putWhole(id, file, taken);
      // Pieces that are removed before would be lost to whoever goes on after a crash.
      await record(taken);
      for (const { key } of pieces) await this.#bucket.remove(key);
      return true;
    });
  }

  async cut(id: string, offset: number): Promise<void> {
    for (const piece of await this.#pieces(id)) if (piece.offset >= offset) await this.#bucket.remove(piece.key);
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
    for (const { key } of await this.#pieces(id)) await this.#bucket.remove(key);
    await this.#bucket.remove(fileName(id));
  }

  hasRoom(): boolean {
    return hasRoom(this.#folder);
  }

  async #putWhole(id: string, file: string, { size }: TakenContent): Promise<void> {
    if (size > largest) {
      throw new ToolError("too-large", `A bucket takes artifacts of up to ${largest / 1024 ** 3} GiB.`);
    }
    await this.#bucket.put(fileName(id), createReadStream(file), size);
  }

  /** The contiguous chunks of an unfinished content, in order. */
  async #pieces(
    id: string,
  ): Promise<readonly { readonly key: string; readonly offset: number; readonly size: number }[]> {
    const found = await this.#bucket.list(`${fileName(id)}.part/`);
    const pieces = found.map(({ key, size }) => ({ key, size, offset: Number(key.slice(key.lastIndexOf("/") + 1)) }));
    let end = 0;
    return pieces
      .toSorted((one, other) => one.offset - other.offset)
      .filter(({ offset, size }) => {
        if (offset !== end) return false;
        end += size;
        return true;
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

/** Offsets are padded with zeros, so that listing them gives their order. */
function pieceKey(id: string, offset: number): string {
  return `${fileName(id)}.part/${String(offset).padStart(16, "0")}`;
}
