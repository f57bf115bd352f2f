import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ByteRange } from "./artifact-bytes.ts";

/** Milliseconds within which the bucket must respond. */
const patience = 60_000;
/** Maximum characters of a text from the bucket: a thousand keys, or an error. */
const longestText = 8 * 1024 * 1024;

/**
 * Sends a request to the bucket; resolves with the head of its answer. A successful answer counts only if the whole
 * body was sent.
 */
export async function sendToBucket(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: Readable | undefined,
): Promise<IncomingMessage> {
  const request = (url.startsWith("https:") ? httpsRequest : httpRequest)(url, { method, headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve);
    request.on("error", reject);
  });
  request.setTimeout(patience, () => request.destroy(new Error("it has not answered for a minute.")));
  const sent = body === undefined ? void request.end() : pipeline(body, request);
  // This rejection is ignored, since the bucket may answer with a refusal before the whole body is sent, which aborts
  // sending.
  sent?.catch(() => {});
  const answer = await answered;
  if ((answer.statusCode ?? 0) < 300) await sent;
  return answer;
}

/** Reads the text of an answer. Rejects if it is longer than any text of a bucket. */
export async function textOfBucket(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) {
    text += chunk as string;
    if (text.length > longestText) throw new Error(`it says more than ${longestText} letters.`);
  }
  return text;
}

/**
 * Checks that the content of an answer has exactly the bytes of a range. Otherwise its HTTP reader would take surplus
 * bytes for the next answer, or wait for missing ones. Throws if the head has another range or length; if the body has
 * another length, the stream fails, and `report` is called.
 */
export function exactly(
  answer: IncomingMessage,
  { start, end }: ByteRange,
  report: (error: unknown) => void,
): Readable {
  const length = end - start + 1;
  const { "content-length": declared, "content-range": range = "no range" } = answer.headers;
  // A server may ignore a range, and answer 200 with the whole, which is right only if the length is.
  const isInPlace = answer.statusCode === 206 ? range.startsWith(`bytes ${start}-${end}/`) : start === 0;
  const isLong = declared === undefined || Number(declared) === length;
  if (!isInPlace || !isLong) {
    answer.destroy();
    const got = isInPlace
      ? `${declared} bytes in place of ${length}`
      : `${range.slice(0, 100)} in place of bytes ${start}-${end}`;
    throw new Error(`it answers with ${got}.`);
  }
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      if (size > length) done(new Error(`it answers with more than ${length} bytes.`));
      else done(null, chunk);
    },
    flush: (done) => done(size === length ? null : new Error(`it answers with ${size} bytes in place of ${length}.`)),
  });
  // `pipeline` destroys both streams when one of them fails; the reader of `counted` gets the error as well.
  pipeline(answer, counted).catch((error: NodeJS.ErrnoException) => {
    const hasReaderLeft = error.code === "ERR_STREAM_PREMATURE_CLOSE";
    if (!hasReaderLeft) report(error);
  });
  return counted;
}
