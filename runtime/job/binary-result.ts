import { brief } from "../base/brief.ts";
import { binaryResultMark } from "../contract/process-keys.ts";

/** Content of a {@link BinaryResult}. Text is sent as UTF-8; a Node stream is an async iterable. */
export type BinaryContent = Uint8Array | string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

const longestType = 1000;
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+:/-]+|"[^"\\\r\n]*"))*$/;

/**
 * A result with its own content type: an image, an archive, a stream. Bytes and text can be fetched again while the job
 * is kept. A stream is read once when the caller waits for it. It is collected (up to the result limit) when the result
 * is deferred.
 */
export class BinaryResult {
  readonly contentType: string;
  readonly content: BinaryContent;
  /** Recognises the class across two copies of the package. */
  readonly [binaryResultMark]: true = true;

  /** @throws TypeError when `contentType` is not a media type such as `image/png` */
  constructor(contentType: string, content: BinaryContent) {
    if (!isMediaType(contentType)) {
      throw new TypeError(`${brief(contentType)} is not a valid media type; write one such as "image/png".`);
    }
    this.contentType = contentType;
    this.content = content;
  }
}

/** Bytes may stand in its place by mistake: they must not be printed to be looked at. */
function isMediaType(text: unknown): boolean {
  return typeof text === "string" && text.length <= longestType && mediaType.test(text);
}

/** Whether a value is a {@link BinaryResult}, of whichever copy of the package. */
export function isBinaryResult(value: unknown): value is BinaryResult {
  return (
    typeof value === "object" &&
    value !== null &&
    (value as { [binaryResultMark]?: unknown })[binaryResultMark] === true
  );
}
