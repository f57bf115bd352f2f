import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, statSync } from "node:fs";
import { open, rename, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Readable } from "node:stream";
import { artifactId, artifactUrn, isArtifactUrn } from "../../../runtime/clients/platform/artifacts/artifact-urn.ts";
import { bareJobId, newJobUrn } from "../../../runtime/job/job-id.ts";
import { ToolError } from "../../../runtime/base/errors.ts";
import type { OnceKeys } from "./once-keys.ts";

/** The platform's record of a stored file. */
export interface StoredArtifact {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Current or announced size in bytes; null while unknown. */
  readonly size: number | null;
  /** Hexadecimal; null until the content is complete. */
  readonly sha256: string | null;
  readonly status: "pending" | "partial" | "ready" | "error";
  readonly policy: string | null;
  readonly collection: string | null;
  /** The job that created it. */
  readonly job: string | null;
  /** RFC 3339. */
  readonly created: string;
}

export type NewArtifact = Pick<StoredArtifact, "name" | "type" | "size" | "policy" | "collection" | "job">;

/** Files below one folder, each with a row in the database. Contents are on disk before they are acknowledged. */
export class ArtifactStore {
  readonly #folder: string;
  readonly #once: OnceKeys;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #find: StatementSync;
  readonly #page: StatementSync;

  constructor(folder: string, database: DatabaseSync, once: OnceKeys) {
    this.#folder = folder;
    this.#once = once;
    mkdirSync(folder, { recursive: true });
    this.#insert = database.prepare(
      "INSERT INTO artifacts (id, name, type, size, sha256, status, policy, collection, job, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.#update = database.prepare("UPDATE artifacts SET size = ?, sha256 = ?, status = ? WHERE id = ?");
    this.#find = database.prepare("SELECT * FROM artifacts WHERE id = ?");
    this.#page = database.prepare("SELECT * FROM artifacts WHERE seq < ? ORDER BY seq DESC LIMIT ?");
  }

  /** By URN or bare id. */
  get(text: string): StoredArtifact | undefined {
    return this.#find.get(isArtifactUrn(text) ? text : artifactUrn(text)) as StoredArtifact | undefined;
  }

  /** The newest first, from before `seq`. */
  page(seq: number, count: number): readonly (StoredArtifact & { readonly seq: number })[] {
    return this.#page.all(seq, count) as unknown as (StoredArtifact & { readonly seq: number })[];
  }

  /** Announces an artifact whose content follows in chunks. `key`: returns the artifact that it created before. */
  async announce(artifact: NewArtifact, key: string | undefined): Promise<StoredArtifact> {
    const id = newId();
    await (await open(this.#partial(id), "wx", 0o600)).close();
    return this.#add({ ...artifact, id, sha256: null, status: "pending", created: now() }, key, this.#partial(id));
  }

  /** Stores a whole content. Throws `bad-request` when its digest differs from the announced one, and `too-large`. */
  async store(
    artifact: NewArtifact,
    { content, sha256 }: { readonly content: Readable; readonly sha256: string | undefined },
    key: string | undefined,
  ): Promise<StoredArtifact> {
    const id = newId();
    const partial = this.#partial(id);
    try {
      const { size, digest } = await writeAt(partial, 0, content);
      if (sha256 !== undefined && digest !== sha256) throw garbled();
      await rename(partial, this.file(id));
      const stored = { ...artifact, id, size, sha256: digest, status: "ready", created: now() } as const;
      return await this.#add(stored, key, this.file(id));
    } catch (error) {
      await rm(partial, { force: true });
      throw asStorageFault(error);
    }
  }

  /** Number of received bytes of an announced artifact. */
  offset({ id, status, size }: StoredArtifact): number {
    if (status === "ready") return size ?? 0;
    return statSync(this.#partial(id), { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * Appends a chunk. `length`: size of the whole, if known. Returns the new offset; undefined: the chunk was corrupted
   * and dropped.
   */
  async append(
    artifact: StoredArtifact,
    piece: { readonly offset: number; readonly content: Readable; readonly sha256: string | undefined },
    whole: { readonly length: number | undefined; readonly sha256: string | undefined },
  ): Promise<number | undefined> {
    const { id } = artifact;
    const file = this.#partial(id);
    const written = await writeAt(file, piece.offset, piece.content).catch(async (error: unknown) => {
      // An incomplete chunk with a digest cannot be verified, so its bytes are dropped.
      if (piece.sha256 !== undefined) await truncate(file, piece.offset);
      throw asStorageFault(error);
    });
    if (piece.sha256 !== undefined && written.digest !== piece.sha256) {
      await truncate(file, piece.offset);
      return undefined;
    }
    const offset = piece.offset + written.size;
    const size = whole.length ?? artifact.size;
    if (size === null || offset < size) {
      this.#update.run(size, null, "partial", id);
      return offset;
    }
    const digest = await digestOf(file);
    const isRight = offset === size && (whole.sha256 === undefined || whole.sha256 === digest);
    if (isRight) await rename(file, this.file(id));
    this.#update.run(offset, digest, isRight ? "ready" : "error", id);
    return offset;
  }

  /** Path of the content of a ready artifact. */
  file(id: string): string {
    return join(this.#folder, fileName(id));
  }

  read(id: string, range: { readonly start: number; readonly end: number }): Readable {
    return createReadStream(this.file(id), range);
  }

  #partial(id: string): string {
    return `${this.file(id)}.part`;
  }

  /** The file is written first: a crash leaves an unused file, and never a second artifact or one without content. */
  async #add(artifact: StoredArtifact, key: string | undefined, file: string): Promise<StoredArtifact> {
    const { id, name, type, size, sha256, status, policy, collection, job, created } = artifact;
    const first = this.#once.make("artifact", key, () => {
      this.#insert.run(id, name, type, size, sha256, status, policy, collection, job, created);
      return id;
    });
    if (first === id) return artifact;
    await rm(file, { force: true });
    return this.get(first) ?? artifact;
  }
}

/** A full disk as whoever uploads should hear of it; any other error as it is. */
function asStorageFault(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return new ToolError("unavailable", "The disk of the platform is full. Make room in its folder, then upload again.", {
    retryAfter: 30,
    cause: error,
  });
}

/** Why a content is refused whose digest is another than the one that was announced. */
function garbled(): ToolError {
  return new ToolError("bad-request", "The content has not the digest in Repr-Digest: it was garbled on its way.");
}

/** Ids are made only here, so a file's name never comes from others. */
function newId(): string {
  return artifactUrn(bareJobId(newJobUrn()));
}

function fileName(id: string): string {
  return artifactId(id).replaceAll(/[^\w-]/g, "_");
}

function now(): string {
  return new Date().toISOString();
}

async function writeAt(
  file: string,
  offset: number,
  content: Readable,
): Promise<{ readonly size: number; readonly digest: string }> {
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
