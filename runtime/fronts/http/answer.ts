import type { ServerResponse } from "node:http";
import { tenonVersion } from "../../base/version.ts";

/** An answer over HTTP. */
export interface Answer {
  readonly status: number;
  /** Names and values alternate. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
}

/** The header of every answer, for `writeHead` and for `Headers`. */
export const versionHeader: readonly [string, string] = ["Platform-Tool-Version", tenonVersion];

/**
 * Sends an answer through `node:http`. Does nothing when the client has disconnected.
 *
 * @param added Headers behind those of the answer. Names and values in turn.
 */
export function writeAnswer(response: ServerResponse, answer: Answer, added: readonly string[] = none): void {
  const { status, headers, body } = answer;
  // `concat` and a spread are calls into V8's runtime.
  const head: string[] = [];
  for (const part of headers) head.push(part);
  for (const part of added) head.push(part);
  head.push(versionHeader[0], versionHeader[1]);
  if (body === undefined) {
    if (status !== 204 && status !== 304) head.push("Content-Length", "0");
    response.writeHead(status, head);
    response.end();
    return;
  }
  // Not `instanceof ReadableStream`: reading that global loads web streams, 4 ms of the first answer.
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    response.writeHead(status, head);
    if (response.req.method === "HEAD") {
      response.end();
      void body.cancel().catch(() => {});
    } else void pump(body, response);
    return;
  }
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  head.push("Content-Length", String(length));
  response.writeHead(status, head);
  if (typeof body === "string") endText(response, body, length);
  else response.end(body);
}

const none: readonly string[] = [];

/** Sends a text with `length` bytes in UTF-8. A pure ASCII text, the usual case, is sent without conversion. */
function endText(response: ServerResponse, text: string, length: number): void {
  response.end(text, length === text.length ? "latin1" : "utf8");
}

/** Converts an answer into a web `Response`. */
export function toResponse(answer: Answer): Response {
  const headers = new Headers([[...versionHeader]]);
  for (let at = 0; at + 1 < answer.headers.length; at += 2) {
    headers.append(answer.headers[at] ?? "", answer.headers[at + 1] ?? "");
  }
  const { body } = answer;
  return new Response(body instanceof Uint8Array ? Buffer.from(body) : (body ?? null), {
    status: answer.status,
    headers,
  });
}

/** An answer in JSON. @param headers Names and values in turn */
export function jsonAnswer(body: object, status = 200, headers: readonly string[] = none): Answer {
  return { status, headers: ["Content-Type", "application/json", ...headers], body: JSON.stringify(body) };
}

async function pump(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  // A stream may be silent for long, so its head is sent at once.
  response.flushHeaders();
  const reader = body.getReader();
  let goOn = (): void => {};
  response.on("drain", () => goOn());
  response.once("close", () => {
    goOn();
    // A disconnect of the client must end the source as well.
    void reader.cancel().catch(() => {});
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value) && !response.destroyed) {
        await new Promise<void>((resolve) => (goOn = resolve));
      }
      if (response.destroyed) return;
    }
    response.end();
  } catch {
    // The head has been sent; closing the connection is the only way to show that the body is incomplete.
    response.destroy();
  }
}
