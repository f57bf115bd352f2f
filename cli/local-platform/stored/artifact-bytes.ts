import type { Readable } from "node:stream";

/** A range of bytes of a content; includes both ends. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Metadata of content that has been received completely. */
export interface TakenContent {
  readonly size: number;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
}

/** Stores the contents of artifacts, in a folder or a bucket. Acknowledged content is durable. */
export interface ArtifactBytes {
  /** Begins a content that arrives in chunks. */
  begin(id: string): Promise<void>;
  /** Number of received bytes of a content that is not recorded as complete. */
  received(id: string): Promise<number>;
  /**
   * Appends a chunk at `offset`. Undefined: the chunk does not match its digest, and is dropped.
   *
   * @returns Number of bytes received so far
   */
  append(
    id: string,
    piece: { readonly offset: number; readonly content: Readable; readonly sha256: string | undefined },
  ): Promise<number | undefined>;
  /**
   * Completes a content that arrived in chunks, also if an earlier process was killed while it did so. `record` is
   * called before the chunks are removed. False: `isRight` has returned false, and nothing was stored or recorded.
   */
  finish(
    id: string,
    isRight: (taken: TakenContent) => boolean,
    record: (taken: TakenContent) => Promise<void>,
  ): Promise<boolean>;
  /** Drops the bytes from `offset` on of a content that is not complete. */
  cut(id: string, offset: number): Promise<void>;
  /** Stores a whole content. If `check` throws, the content is dropped. */
  store(id: string, content: Readable, check: (taken: TakenContent) => void): Promise<TakenContent>;
  read(id: string, range: ByteRange): Promise<Readable>;
  /** Removes all data of an artifact. */
  remove(id: string): Promise<void>;
  /** False when the storage is full. */
  hasRoom(): boolean;
}
