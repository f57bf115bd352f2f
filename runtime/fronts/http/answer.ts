import type { ServerResponse } from "node:http";
import { tenonVersion } from "../../base/version.ts";

/** A response that `node:http` or Hono can send. */
export interface Answer {
  readonly status: number;
  /** Names and values alternate. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
}

/** The header of every answer, for `writeHead` and for `Headers`. */
export const versionHeader: readonly [string, string] = ["Platform-Tool-Version", tenonVersion];

/** Sends an answer through `node:http`. Does nothing when the client has disconnected. */
export function writeAnswer(response: ServerResponse, answer: Answer): void {
  const { status, headers, body } = answer;
  if (body === undefined) {
    response.writeHead(status, [
      ...headers,
      ...versionHeader,
      ...(status === 204 || status === 304 ? [] : ["Content-Length", "0"]),
    ]);
    response.end();
    return;
  }
  // Not `instanceof ReadableStream`: reading that global loads web streams, 4 ms of the first answer.
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    response.writeHead(status, [...headers, ...versionHeader]);
    void pump(body, response);
    return;
  }
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  // `concat` and a spread are calls into V8's runtime.
  const head: string[] = [];
  for (const part of headers) head.push(part);
  head.push(versionHeader[0], versionHeader[1], "Content-Length", String(length));
  response.writeHead(status, head);
  if (typeof body === "string") endText(response, body, length);
  else response.end(body);
}

/** Sends a text with `length` bytes in UTF-8. A pure ASCII text, the usual case, is sent without conversion. */
export function endText(response: ServerResponse, text: string, length: number): void {
  response.end(text, length === text.length ? "latin1" : "utf8");
}

/** Converts an answer into a web `Response`; the front door adds the version header. */
export function toResponse(answer: Answer): Response {
  const headers = new Headers();
  for (let at = 0; at + 1 < answer.headers.length; at += 2) {
    headers.append(answer.headers[at] ?? "", answer.headers[at + 1] ?? "");
  }
  const { body } = answer;
  return new Response(body instanceof Uint8Array ? Buffer.from(body) : (body ?? null), {
    status: answer.status,
    headers,
  });
}

async function pump(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  // A disconnect of the client must end the source as well.
  response.once("close", () => void reader.cancel().catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value) && !response.destroyed) {
        await new Promise<void>((resolve) => {
          response.once("drain", resolve);
          response.once("close", resolve);
        });
      }
      if (response.destroyed) return;
    }
    response.end();
  } catch {
    // The head has been sent; closing the connection is the only way to show that the body is incomplete.
    response.destroy();
  }
}
