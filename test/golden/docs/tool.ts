/**
 * Finds a {@link Thing}, see {@link https://example.com | the page} or {@link https://example.com/x}.
 *
 * - first
 *   - nested
 * - write to someone\@example.com
 *
 * ```ts
 * const x = "@minimum 1"; // {@link not}
 * ```
 * @remarks
 * With `code @tool` and {@linkcode Thing.name | its name}.
 *
 *
 * More.
 * @privateRemarks Not for anyone.
 * @tool
 * @author me@example.com
 */
export function find(request: Thing): Thing {
  return request;
}

/**
 * A thing.
 * @title The thing
 * @deprecated
 * @schema urn:example:schema.thing.1
 */
export interface Thing {
  // not a doc comment
  bare: string;
  /** One line. */
  one: string;
  /**
   * Two lines
   * of text.
   * @title The two
   * @deprecated Use `one`.
   */
  two: string;
  /** With tag characters in emoji 👩‍👩‍👧 and a family. */
  emoji: string;
  /** Sent as a header. @header X-Region */
  region: string;
  /** @internal */
  hidden: () => void;
}
