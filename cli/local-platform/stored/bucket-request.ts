import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

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
 * Checks that the content of an answer has exactly `length` bytes. Otherwise its HTTP reader would take surplus bytes
 * for the next answer, or wait for missing ones. Throws if the head has another length; if the body has, the stream
 * fails.
 */
export function exactly(answer: IncomingMessage, length: number): Readable {
  const declared = answer.headers["content-length"];
  if (declared !== undefined && Number(declared) !== length) {
    answer.destroy();
    throw new Error(`it answers with ${declared} bytes in place of ${length}.`);
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
  // `pipeline` destroys both streams when one of them fails. The error is ignored here, since the reader of `counted`
  // gets it.
  pipeline(answer, counted).catch(() => {});
  return counted;
}
