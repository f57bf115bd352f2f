import { artifactUrn, isArtifactUrn } from "../../../runtime/outside/platform/artifacts/artifact-urn.ts";
import type { Readable } from "node:stream";
import { bareJobId, newJobUrn } from "../../../runtime/job/job-id.ts";
import { ToolError } from "../../../runtime/base/errors.ts";
import type { ArtifactBytes, ByteRange, TakenContent } from "./artifact-bytes.ts";
import type { OnceKeys } from "./once-keys.ts";
import type { PlatformTables } from "./platform-tables.ts";

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

/** Largest number that every database accepts as a position of an artifact. */
const lastPlace = 2 ** 31 - 1;

/** Stores artifacts: the content in a folder or a bucket, the metadata in a row of the database. */
export class ArtifactStore {
  readonly #bytes: ArtifactBytes;
  readonly #tables: PlatformTables;
  readonly #once: OnceKeys;

  constructor(bytes: ArtifactBytes, tables: PlatformTables, once: OnceKeys) {
    this.#bytes = bytes;
    this.#tables = tables;
    this.#once = once;
  }

  /** Finds an artifact by its URN or its bare id. */
  async get(text: string): Promise<StoredArtifact | undefined> {
    const id = isArtifactUrn(text) ? text : artifactUrn(text);
    const [row] = await this.#tables.query<StoredArtifact>("SELECT * FROM {artifacts} WHERE id = ?", id);
    return row;
  }

  /** The artifact that was created with an idempotency key. */
  async withKey(key: string): Promise<StoredArtifact | undefined> {
    const id = await this.#once.get("artifact", key);
    return id === undefined ? undefined : this.get(id);
  }

  /** Lists artifacts before position `seq`, the newest first. */
  page(seq: number, count: number): Promise<readonly (StoredArtifact & { readonly seq: number })[]> {
    const text = "SELECT * FROM {artifacts} WHERE seq < ? ORDER BY seq DESC LIMIT ?";
    return this.#tables.query(text, Math.min(seq, lastPlace), count);
  }

  /**
   * Announces an artifact whose content follows in chunks. `key`: an idempotency key; if it is known, the artifact that
   * was created with it is returned.
   */
  async announce(artifact: NewArtifact, key: string | undefined): Promise<StoredArtifact> {
    const id = newId();
    await this.#bytes.begin(id);
    return this.#add({ ...artifact, id, sha256: null, status: "pending", created: now() }, key);
  }

  /** Stores a whole content. Throws `bad-request` when its digest differs from the announced one, and `too-large`. */
  async store(
    artifact: NewArtifact,
    { content, sha256 }: { readonly content: Readable; readonly sha256: string | undefined },
    key: string | undefined,
  ): Promise<StoredArtifact> {
    const id = newId();
    try {
      const { size, digest } = await this.#bytes.store(id, content, (taken) => {
        if (sha256 !== undefined && taken.digest !== sha256) throw garbled();
      });
      return await this.#add({ ...artifact, id, size, sha256: digest, status: "ready", created: now() }, key);
    } catch (error) {
      throw asStorageFault(error);
    }
  }

  /** Number of received bytes of an announced artifact. */
  async offset({ id, status, size }: StoredArtifact): Promise<number> {
    return status === "ready" ? (size ?? 0) : this.#bytes.received(id);
  }

  /**
   * Appends a chunk. `length`: size of the whole content, if known. Returns the new offset; undefined: the chunk was
   * corrupted and dropped.
   */
  async append(
    artifact: StoredArtifact,
    piece: { readonly offset: number; readonly content: Readable; readonly sha256: string | undefined },
    whole: { readonly length: number | undefined; readonly sha256: string | undefined },
  ): Promise<number | undefined> {
    const { id } = artifact;
    // The size comes with the last chunk: whoever goes on after a crash must know that it was the last.
    if (artifact.size === null && whole.length !== undefined) await this.#update(id, whole.length, null, "partial");
    const offset = await this.#bytes.append(id, piece).catch((error: unknown) => {
      throw asStorageFault(error);
    });
    if (offset === undefined) return undefined;
    const size = whole.length ?? artifact.size;
    if (size === null || offset < size) {
      await this.#update(id, size, null, "partial");
      return offset;
    }
    const isRight = (taken: TakenContent): boolean =>
      taken.size === size && (whole.sha256 === undefined || whole.sha256 === taken.digest);
    await this.#bytes.finish(id, isRight, (taken) =>
      this.#update(id, offset, taken.digest, isRight(taken) ? "ready" : "error"),
    );
    return offset;
  }

  /** True if an artifact has all its bytes and is not recorded as complete: a process may have been killed before. */
  async isWhole({ id, status, size }: StoredArtifact): Promise<boolean> {
    const isOpen = status === "pending" || status === "partial";
    return isOpen && size !== null && size > 0 && (await this.#bytes.received(id)) === size;
  }

  /** Completes an artifact that has all its bytes. */
  async complete(artifact: StoredArtifact): Promise<StoredArtifact> {
    const { id } = artifact;
    const isRight = ({ size }: TakenContent): boolean => size === artifact.size;
    await this.#bytes.finish(id, isRight, async (taken) => {
      // An upload that ended in the meantime has its own record, which may be that of a wrong digest.
      const text =
        "UPDATE {artifacts} SET sha256 = ?, status = 'ready' WHERE id = ? AND status IN ('pending', 'partial')";
      if (isRight(taken)) await this.#tables.query(text, taken.digest, id);
    });
    return (await this.get(id)) ?? artifact;
  }

  /** Reads the content of a complete artifact. */
  read(id: string, range: ByteRange): Promise<Readable> {
    return this.#bytes.read(id, range);
  }

  async #update(id: string, size: number | null, sha256: string | null, status: string): Promise<void> {
    const text = "UPDATE {artifacts} SET size = ?, sha256 = ?, status = ? WHERE id = ?";
    await this.#tables.query(text, size, sha256, status, id);
  }

  /**
   * Stores the content before the row. So a crash can leave an unused content, but never a second artifact or an
   * artifact without content.
   */
  async #add(artifact: StoredArtifact, key: string | undefined): Promise<StoredArtifact> {
    const { id, name, type, size, sha256, status, policy, collection, job, created } = artifact;
    const values = [id, name, type, size, sha256, status, policy, collection, job, created];
    const first = await this.#once.make("artifact", key, async (query) => {
      await query(
        "INSERT INTO {artifacts} (id, name, type, size, sha256, status, policy, collection, job, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ...values,
      );
      return id;
    });
    if (first === id) return artifact;
    await this.#bytes.remove(id);
    return (await this.get(first)) ?? artifact;
  }
}

/** Converts the error of a full disk for callers; other errors stay as they are. */
function asStorageFault(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return new ToolError("unavailable", "The disk of the platform is full. Make room in its folder, then upload again.", {
    retryAfter: 30,
    cause: error,
  });
}

/** The error for a content whose digest differs from the announced one. */
function garbled(): ToolError {
  return new ToolError("bad-request", "The content has not the digest in Repr-Digest: it was garbled on its way.");
}

/** Creates an id. Callers cannot choose ids, so that they never determine the name of a file. */
function newId(): string {
  return artifactUrn(bareJobId(newJobUrn()));
}

function now(): string {
  return new Date().toISOString();
}
