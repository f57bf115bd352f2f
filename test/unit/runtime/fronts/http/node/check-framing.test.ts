import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { checkFraming } from "../../../../../../runtime/fronts/http/node/check-framing.ts";

const check = (rawHeaders: readonly string[], httpVersion = "1.1", hasPlainHead = false) => {
  const answer = checkFraming({ rawHeaders, httpVersion, hasPlainHead } as unknown as IncomingMessage);
  if (answer === undefined) return undefined;
  expect(answer.headers).toEqual(["Content-Type", "application/problem+json", "Connection", "close"]);
  const { status, detail, type } = JSON.parse(String(answer.body));
  expect([answer.status, type]).toEqual([status, "urn:platform:problem:bad-request"]);
  return [status, detail];
};

test.each([
  [["Host", "a", "HOST", "b"], "1.1", 400, "The request has more than one Host header."],
  [["Authorization", "a", "authorization", "b"], "1.1", 400, "The request has more than one Authorization header."],
  [["Transfer-Encoding", "chunked"], "1.0", 400, "A request of HTTP/1.0 cannot have Transfer-Encoding."],
  [["Transfer-Encoding", "gzip"], "1.1", 501, "The only transfer coding that is understood is chunked."],
  [["Transfer-Encoding", "xchunked"], "1.1", 501, "The only transfer coding that is understood is chunked."],
  [["Transfer-Encoding", "chunkedx"], "1.1", 501, "The only transfer coding that is understood is chunked."],
  [
    ["Transfer-Encoding", "chunked", "transfer-encoding", "chunked"],
    "1.1",
    501,
    "The only transfer coding that is understood is chunked.",
  ],
])("%j of HTTP/%s is refused", (headers, version, status, detail) => {
  expect(check(headers, version)).toEqual([status, detail]);
});

test.each([
  [[], "1.1"],
  [["Host", "a", "Authorization", "b"], "1.1"],
  [["Host", "a"], "1.0"],
  [["Transfer-Encoding", " Chunked "], "1.1"],
  [["Post", "a", "post", "b"], "1.1"],
])("%j of HTTP/%s is taken", (headers, version) => {
  expect(check(headers, version)).toBeUndefined();
});

test("a head that is known to be plain is not read again", () => {
  expect(check(["Host", "a", "Host", "b"], "1.1", true)).toBeUndefined();
});
