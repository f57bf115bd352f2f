import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { answerBadRequest } from "../../../../../../runtime/fronts/http/node/answer-bad-request.ts";

const errorOf = (code?: string): NodeJS.ErrnoException => Object.assign(new Error("parser"), code && { code });

test.each([
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large", "The request headers are too large."],
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout", "The request did not arrive in time."],
  ["HPE_INVALID_METHOD", "400 Bad Request", "The request is not valid HTTP."],
  [undefined, "400 Bad Request", "The request is not valid HTTP."],
])("%s is answered with %s, and the connection ends", async (code, line, detail) => {
  const socket = new PassThrough();
  answerBadRequest(errorOf(code), socket);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  expect(head.split("\r\n")).toEqual([
    `HTTP/1.1 ${line}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ]);
  expect(JSON.parse(body)).toMatchObject({ status: Number(line.slice(0, 3)), detail });
});

test("a connection that was reset, or takes nothing more, is closed without an answer", () => {
  const reset = new PassThrough();
  answerBadRequest(errorOf("ECONNRESET"), reset);
  const ended = new PassThrough().end();
  answerBadRequest(errorOf("HPE_INVALID_METHOD"), ended);
  for (const socket of [reset, ended]) expect([socket.destroyed, socket.read()]).toEqual([true, null]);
});
