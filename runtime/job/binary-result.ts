import { brief } from "../base/brief.ts";
import { binaryResultMark } from "../contract/process-keys.ts";

/** Content of a {@link BinaryResult}. Text is sent as UTF-8; a Node stream is an async iterable. */
export type BinaryContent = Uint8Array | string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

const longestType = 1000;
/** Media types as a header can carry them: a quoted value has only characters that Node writes. */
const mediaType =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[\t ]*;[\t ]*[\w!#$&^.+-]+=(?:[\w!#$&^.+:/-]+|"[\t !#-[\]-~\x80-\xff]*"))*$/;

/**
 * A result with its own content type: an image, an archive, a stream. Bytes and text can be fetched again while the job
 * is stored. A stream is read once if the caller waits for the result, and collected (up to the result limit) if the
 * result is deferred.
 */
export class BinaryResult {
  readonly contentType: string;
  readonly content: BinaryContent;
  /** Mark by which the class is recognised across copies of the package. */
  readonly [binaryResultMark]: true = true;

  /**
   * @param content Bytes, text or a stream
   * @param contentType A media type such as `image/png`
   * @throws TypeError when `contentType` is not a media type
   */
  constructor(content: BinaryContent, contentType: string);
  /** @deprecated The content comes first, as in `Content.image`. */
  constructor(contentType: string, content: BinaryContent);
  constructor(first: BinaryContent, second: BinaryContent) {
    const [content, contentType] = inOrder(first, second);
    if (!isMediaType(contentType)) {
      throw new TypeError(`${brief(contentType)} is not a valid media type; write one such as "image/png".`);
    }
    this.contentType = contentType;
    this.content = content;
  }
}

/**
 * True for a media type. The length is checked first: the value may be the content by mistake, and a pattern should not
 * scan megabytes of text.
 */
function isMediaType(text: unknown): text is string {
  return typeof text === "string" && text.length <= longestType && mediaType.test(text);
}

/**
 * Accepts both orders of arguments: of two texts, the one that is a media type is the type, and the second if both are.
 */
function inOrder(first: BinaryContent, second: BinaryContent): readonly [BinaryContent, string] {
  if (typeof second !== "string") return typeof first === "string" ? [second, first] : [first, ""];
  const isOld = typeof first === "string" && !isMediaType(second) && (isMediaType(first) || second === "");
  return isOld ? [second, first] : [first, second];
}

/** True for a {@link BinaryResult} of any copy of the package. */
export function isBinaryResult(value: unknown): value is BinaryResult {
  return (
    typeof value === "object" &&
    value !== null &&
    (value as { [binaryResultMark]?: unknown })[binaryResultMark] === true
  );
}
