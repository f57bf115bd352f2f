import type { IncomingMessage, ServerResponse } from "node:http";
import { AsyncResource } from "../../base/async-hooks.ts";
import { ByteGatherer } from "../../base/byte-gatherer.ts";
import { ToolError } from "../../base/errors.ts";
import type { Exchange } from "./exchange.ts";
import type { ShortRequest } from "./short-request.ts";

/** Maximum bytes that a refused client may still send before its connection is closed. */
const patienceBytes = 16 * 1024 * 1024;

const jsonType = /^application\/(?:json|[\w!#$&^.+-]+\+json)\s*(?:;\s*(.*))?$/i;

/** Refuses a body that is not plain JSON text, by its headers; throws `unsupported-media-type`. */
export function checkJsonHeaders(exchange: Pick<Exchange, "header">): void {
  const contentEncoding = exchange.header("content-encoding");
  const contentType = exchange.header("content-type");
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
    throw new ToolError("unsupported-media-type", "The body must not be encoded: leave Content-Encoding out.");
  }
  // This type is checked first, since it is the most frequent one.
  if (contentType === "application/json") return;
  const parameters = contentType === undefined ? null : jsonType.exec(contentType);
  if (parameters === null) {
    const given = contentType === undefined ? "there is none" : `not ${JSON.stringify(contentType.slice(0, 100))}`;
    throw new ToolError("unsupported-media-type", `Content-Type must be application/json, ${given}.`);
  }
  const charset = /(?:^|;)\s*charset\s*=\s*"?([^";\s]*)/i.exec(parameters[1] ?? "")?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new ToolError("unsupported-media-type", "The body must be UTF-8.");
  }
}

/** The error `too-large`, with the limit in its text. */
export function tooLarge(limit: number): ToolError {
  return new ToolError("too-large", `The request body is larger than ${limit} bytes.`);
}

/**
 * Reads a body up to a limit, counted while it streams. `done` is called once, with the error or the body. It is not
 * called when the client disconnects before it has sent everything.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  done: (error: ToolError | undefined, body: Buffer) => void,
): void {
  const declared = request.headers["content-length"];
  // The number of digits of the declared length is compared, which is cheaper than parsing it and sufficient for most
  // bodies, which are short. The bytes are counted below.
  const isTooLarge = declared !== undefined && declared.length > 3 && Number(declared) > limit;
  if (!isTooLarge && request.headers.expect !== undefined) response.writeContinue();
  let first: Buffer | undefined;
  let more: ByteGatherer | undefined;
  let size = isTooLarge ? limit + 1 : 0;
  const take = (chunk: Buffer | null): void => {
    if (size > limit) {
      // The error is sent at once. The rest of the body is read and dropped, so that the client gets the answer instead
      // of a reset.
      if (chunk !== null && (size += chunk.length) > limit + patienceBytes) request.destroy();
    } else if (chunk === null) done(undefined, more?.whole() ?? first ?? empty);
    else if ((size += chunk.length) > limit) {
      first = undefined;
      more = undefined;
      done(tooLarge(limit), empty);
    } else if (more !== undefined) more.add(chunk);
    else if (first === undefined) first = chunk;
    else {
      more = new ByteGatherer(Number(declared ?? 0));
      more.add(first);
      more.add(chunk);
      first = undefined;
    }
  };
  if ((request as Partial<ShortRequest>).collect?.(apiKey in globalThis ? inContext(take) : take) !== true) {
    request.on("data", take);
    request.on("end", () => take(null));
  }
  if (isTooLarge) done(tooLarge(limit), empty);
}

/**
 * Binds a function to the current async context. This is needed because an instrumentation activates its span only for
 * the request's listeners, which a body that is read without the stream does not have. `AsyncResource.bind` is not
 * used: it would define deprecated properties on each function, which keep the whole request in memory until a full
 * garbage collection.
 */
function inContext<T>(take: (value: T) => void): (value: T) => void {
  const scope = new AsyncResource("tenon.body");
  return (value) => scope.runInAsyncScope(take, undefined, value);
}

const empty = Buffer.alloc(0);
/** Key on `globalThis` that is present if a provider is registered with OpenTelemetry's API. */
const apiKey = Symbol.for("opentelemetry.js.api.1");
