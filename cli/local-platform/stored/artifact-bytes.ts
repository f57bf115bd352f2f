import type { Readable } from "node:stream";

/** A part of a content, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Content that has been received completely. */
export interface TakenContent {
  readonly size: number;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
}

/** Keeps the contents of artifacts: in a folder, or in a bucket. What is acknowledged is stored. */
export interface ArtifactBytes {
  /** Opens a content that comes in pieces. */
  begin(id: string): Promise<void>;
  /** Bytes of an unfinished content. */
  received(id: string): Promise<number>;
  /**
   * Adds a piece behind `offset` bytes. Undefined: its digest is another one, and nothing of it is kept.
   * @returns Bytes received now
   */
  append(
    id: string,
    piece: { readonly offset: number; readonly content: Readable; readonly sha256: string | undefined },
  ): Promise<number | undefined>;
  /** Ends a content that came in pieces; it is kept if `isRight` says so of it. */
  finish(id: string, isRight: (taken: TakenContent) => boolean): Promise<TakenContent>;
  /** Takes a whole content in. `check` throws for one that is to be dropped. */
  store(id: string, content: Readable, check: (taken: TakenContent) => void): Promise<TakenContent>;
  read(id: string, range: ByteRange): Promise<Readable>;
  /** Removes all that there is of a content. */
  remove(id: string): Promise<void>;
  /** False when nothing more can be taken in. */
  hasRoom(): boolean;
}
