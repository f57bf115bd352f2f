import { tenonVersion } from "../../base/version.ts";

/** An answer over HTTP. */
export interface Answer {
  readonly status: number;
  /** Names and values alternate. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
}

/** A header of every answer, in the form for `writeHead` and in the form for `Headers`. */
export const versionHeader: readonly [string, string] = ["Platform-Tool-Version", tenonVersion];

const none: readonly string[] = [];

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

/**
 * Makes an answer in JSON.
 *
 * @param headers Names and values alternate
 */
export function jsonAnswer(body: object, status = 200, headers: readonly string[] = none): Answer {
  return { status, headers: ["Content-Type", "application/json", ...headers], body: JSON.stringify(body) };
}
