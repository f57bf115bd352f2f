import type { Duplex } from "node:stream";
import { ToolError } from "../../../base/errors.ts";
import { problemBody } from "../problem.ts";

const socketProblems: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The request headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time."],
};

/** Milliseconds for which a client may read the refusal. */
const lastPatience = 2000;

/** Answers data that `node:http` could not parse as a request; for its `clientError` event. */
export function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = socketProblems[error.code ?? ""] ?? [400, "The request is not valid HTTP."];
  const body = JSON.stringify(problemBody(new ToolError("bad-request", detail), undefined, status));
  const reason =
    status === 431 ? "Request Header Fields Too Large" : status === 408 ? "Request Timeout" : "Bad Request";
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // The socket is destroyed after a while, since a client that never closes its own half would hold the socket for
  // ever.
  setTimeout(() => socket.destroy(), lastPatience).unref();
}
