import { artifactUrn, isArtifactUrn } from "../../../runtime/outside/platform/artifacts/artifact-urn.ts";
import type { Readable } from "node:stream";
import { bareJobId, newJobUrn } from "../../../runtime/job/job-id.ts";
import { ToolError } from "../../../runtime/base/errors.ts";
import type { ArtifactBytes, ByteRange, TakenContent } from "./artifact-bytes.ts";
import { atMost, Surplus } from "./at-most.ts";
import { otherRequest, type OnceKeys } from "./once-keys.ts";
import type { PlatformTables } from "./platform-tables.ts";

/** The platform's record of a stored file. */
export interface StoredArtifact {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Current or announced size in bytes; null while unknown. */
  readonly size: number | null;
  /** Hexadecimal; until the content is complete, the announced one, or null. */
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

  /** Lists artifacts before position `seq`, the newest first. */
  page(seq: number, count: number): Promise<readonly (StoredArtifact & { readonly seq: number })[]> {
    const text = "SELECT * FROM {artifacts} WHERE seq < ? ORDER BY seq DESC LIMIT ?";
    return this.#tables.query(text, Math.min(seq, lastPlace), count);
  }

  /**
   * Announces an artifact whose content follows in chunks. `key`: an idempotency key; if it is known, the artifact that
   * was created with it is returned. Throws `idempotency-conflict` if that is another one.
   */
  async announce(artifact: NewArtifact, key: string | undefined): Promise<StoredArtifact> {
    const id = newId();
    await this.#bytes.begin(id);
    return this.#add({ ...artifact, id, sha256: null, status: "pending", created: now() }, key);
  }

  /**
   * Stores a whole content, once for each idempotency key as {@link announce}. Throws `bad-request` when its digest
   * differs from the announced one, and `too-large`.
   */
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
   * corrupted and dropped. Throws `bad-request` for a chunk beyond the announced size, for another size than the
   * announced one, and if the whole content has another digest; then nothing of the chunk stays.
   */
  async append(
    artifact: StoredArtifact,
    piece: { readonly offset: number; readonly content: Readable; readonly sha256: string | undefined },
    whole: { readonly length: number | undefined; readonly sha256: string | undefined },
  ): Promise<number | undefined> {
    const { id } = artifact;
    const size = whole.length ?? artifact.size;
    const sha256 = whole.sha256 ?? artifact.sha256;
    if (artifact.size !== null && size !== artifact.size) {
      throw new ToolError("bad-request", `Upload-Length is ${size}, but ${artifact.size} bytes were announced.`);
    }
    // Size and digest come with the last chunk: whoever goes on after a crash must know that it was the last.
    if (size !== artifact.size || sha256 !== artifact.sha256) await this.#update(id, size, sha256, "partial");
    const refuse = async (refusal: ToolError): Promise<never> => {
      await this.#bytes.cut(id, piece.offset);
      await this.#update(id, artifact.size, artifact.sha256, artifact.status);
      throw refusal;
    };
    const content = size === null ? piece.content : atMost(piece.content, size - piece.offset);
    const offset = await this.#bytes.append(id, { ...piece, content }).catch((error: unknown) => {
      if (error instanceof Surplus) return refuse(new ToolError("bad-request", `The upload has only ${size} bytes.`));
      throw asStorageFault(error);
    });
    if (offset === undefined) return undefined;
    if (size === null || offset < size) {
      await this.#update(id, size, sha256, "partial");
      return offset;
    }
    const fits = isAnnounced({ size, sha256 });
    const isRight = (taken: TakenContent): boolean => {
      if (taken.size !== size) throw incomplete();
      return fits(taken);
    };
    const isStored = await this.#bytes.finish(id, isRight, (taken) => this.#update(id, offset, taken.digest, "ready"));
    return isStored ? offset : refuse(garbled());
  }

  /** True if an artifact has all its bytes and is not recorded as complete: a process may have been killed before. */
  async isWhole({ id, status, size }: StoredArtifact): Promise<boolean> {
    const isOpen = status === "pending" || status === "partial";
    return isOpen && size !== null && size > 0 && (await this.#bytes.received(id)) === size;
  }

  /** Completes an artifact that has all its bytes. */
  async complete(artifact: StoredArtifact): Promise<StoredArtifact> {
    const { id, size } = artifact;
    const isStored = await this.#bytes.finish(id, isAnnounced(artifact), (taken) =>
      this.#update(id, size, taken.digest, "ready"),
    );
    if (!isStored) await this.#update(id, size, null, "error");
    return (await this.get(id)) ?? artifact;
  }

  /** Reads the content of a complete artifact. */
  read(id: string, range: ByteRange): Promise<Readable> {
    return this.#bytes.read(id, range);
  }

  async #update(id: string, size: number | null, sha256: string | null, status: string): Promise<void> {
    // A complete content never changes, even if another replica has completed it in the meantime.
    const text = "UPDATE {artifacts} SET size = ?, sha256 = ?, status = ? WHERE id = ? AND status <> 'ready'";
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
    const known = await this.get(first);
    if (known === undefined || !isRepeated(known, artifact)) throw otherRequest();
    return known;
  }
}

/** True when a request for `artifact` may be a repetition of the one that has made `known`. */
function isRepeated(known: StoredArtifact, artifact: StoredArtifact): boolean {
  const { size, sha256 } = artifact;
  const isAlike = (["name", "type", "policy", "collection"] as const).every((part) => known[part] === artifact[part]);
  // An announcement says less than is known by now.
  return isAlike && (size === null || known.size === size) && (sha256 === null || known.sha256 === sha256);
}

/** True for a content with the announced size, and with the announced digest if there is one. */
function isAnnounced({ size, sha256 }: Pick<StoredArtifact, "size" | "sha256">): (taken: TakenContent) => boolean {
  return (taken) => taken.size === size && (sha256 === null || sha256 === taken.digest);
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

/** The error for an upload of which the storage has lost a piece, or does not show it yet. */
function incomplete(): ToolError {
  return new ToolError("unavailable", "The storage does not show all bytes of this upload. Try again later.", {
    retryAfter: 30,
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
