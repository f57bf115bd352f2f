import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, statfsSync, statSync } from "node:fs";
import { open, rename, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { artifactId } from "../../../runtime/outside/platform/artifacts/artifact-urn.ts";
import type { ArtifactBytes, ByteRange, TakenContent } from "./artifact-bytes.ts";

/** Bytes of free space below which a disk counts as full. */
const leastRoom = 1024 * 1024;

/**
 * Contents as files below a folder, which replicas may share. Files are flushed to disk before they are acknowledged.
 */
export class FolderBytes implements ArtifactBytes {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  async begin(id: string): Promise<void> {
    await (await open(this.#partial(id), "wx", 0o600)).close();
  }

  async received(id: string): Promise<number> {
    return statSync(this.#received(id), { throwIfNoEntry: false })?.size ?? 0;
  }

  async append(
    id: string,
    piece: { readonly offset: number; readonly content: Readable; readonly sha256: string | undefined },
  ): Promise<number | undefined> {
    const file = this.#partial(id);
    const written = await writeAt(file, piece.offset, piece.content).catch(async (error: unknown) => {
      // A chunk with a digest cannot be verified if only a part of it has arrived, so that part is dropped.
      if (piece.sha256 !== undefined) await truncate(file, piece.offset);
      throw error;
    });
    if (piece.sha256 === undefined || written.digest === piece.sha256) return piece.offset + written.size;
    await truncate(file, piece.offset);
    return undefined;
  }

  async finish(
    id: string,
    isRight: (taken: TakenContent) => boolean,
    record: (taken: TakenContent) => Promise<void>,
  ): Promise<boolean> {
    const file = this.#received(id);
    const whole = this.#file(id);
    const taken = { size: statSync(file).size, digest: await digestOf(file) };
    if (!isRight(taken)) return false;
    if (file !== whole)
      await rename(file, whole).catch((error: unknown) => {
        // Another replica may have done it.
        if (!existsSync(whole)) throw error;
      });
    await record(taken);
    return true;
  }

  async cut(id: string, offset: number): Promise<void> {
    const file = this.#partial(id);
    if (existsSync(file)) await truncate(file, offset);
  }

  async store(id: string, content: Readable, check: (taken: TakenContent) => void): Promise<TakenContent> {
    const partial = this.#partial(id);
    try {
      const taken = await writeAt(partial, 0, content);
      check(taken);
      await rename(partial, this.#file(id));
      return taken;
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async read(id: string, range: ByteRange): Promise<Readable> {
    return createReadStream(this.#file(id), range);
  }

  async remove(id: string): Promise<void> {
    for (const file of [this.#file(id), this.#partial(id)]) await rm(file, { force: true });
  }

  hasRoom(): boolean {
    return hasRoom(this.#folder);
  }

  #file(id: string): string {
    return join(this.#folder, fileName(id));
  }

  /** The file of what was received: the complete one if a process was killed before it recorded that. */
  #received(id: string): string {
    const partial = this.#partial(id);
    return existsSync(partial) ? partial : this.#file(id);
  }

  #partial(id: string): string {
    return `${this.#file(id)}.part`;
  }
}

/** True when the disk of a folder has free space; true if the system does not report it. */
export function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= leastRoom;
  } catch {
    return true;
  }
}

/**
 * Returns the name of a content's file. Only the platform creates ids, so that callers never determine the name of a
 * file.
 */
export function fileName(id: string): string {
  return artifactId(id).replaceAll(/[^\w-]/g, "_");
}

/** Writes bytes into a file at `offset`, and flushes them to disk. */
export async function writeAt(file: string, offset: number, content: Readable): Promise<TakenContent> {
  const hash = createHash("sha256");
  const handle = await open(file, offset === 0 ? "w" : "r+", 0o600);
  let size = 0;
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      hash.update(chunk);
      await handle.write(chunk, 0, chunk.length, offset + size);
      size += chunk.length;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { size, digest: hash.digest("hex") };
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest("hex");
}
