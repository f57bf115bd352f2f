import type { ServerResponse } from "node:http";
import { tenonVersion } from "../../base/version.ts";

/** A response, before anybody knows whether `node:http` or Hono sends it. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
}

/** The header that every answer carries, for `writeHead` and for `Headers`. */
export const versionHeader: readonly [string, string] = ["Platform-Tool-Version", tenonVersion];

/** Sends an answer through `node:http`. Nothing happens when the client has gone. */
export function writeAnswer(response: ServerResponse, answer: Answer): void {
  const { status, headers, body } = answer;
  if (body === undefined) {
    response.writeHead(status, [...headers, ...versionHeader, ...(status === 204 ? [] : ["Content-Length", "0"])]);
    response.end();
    return;
  }
  // Not `instanceof ReadableStream`: to name that class loads web streams, 4 ms of the first answer.
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

/** Sends a text of that many bytes in UTF-8. One of ASCII letters only, as most are, goes out as it is, without a conversion. */
export function endText(response: ServerResponse, text: string, length: number): void {
  response.end(text, length === text.length ? "latin1" : "utf8");
}

/** The same as a web `Response`; the front door adds the version header. */
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
  // A client that goes away must end the source as well.
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
    // The head is out; a cut connection is the only way left to say that the body is not whole.
    response.destroy();
  }
}
