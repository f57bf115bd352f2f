import type { RequestListener } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Bucket } from "../../../../../cli/local-platform/stored/bucket.ts";
import { smallBucket } from "../../../../support/small-bucket.ts";

const content = Buffer.from("0123456789");
const put = (bucket: Bucket): Promise<void> => bucket.put("one", Readable.from([content]), content.length);
const read = async (bucket: Bucket, start: number, end: number): Promise<string> =>
  (await buffer(await bucket.get("one", { start, end }))).toString();

/** Answers requests of a method. */
const to = (method: string, answer: RequestListener): ((...of: Parameters<RequestListener>) => boolean) => {
  return (request, response) => {
    if (request.method !== method) return false;
    answer(request, response);
    return true;
  };
};

test("what was stored is read, as a whole and in part", async () => {
  const { bucket, warnings } = await smallBucket();
  await put(bucket);
  expect([await read(bucket, 0, 9), await read(bucket, 3, 5), warnings]).toEqual(["0123456789", "345", []]);
});

test.each([
  [
    "an error in a body of status 200",
    "PUT",
    (_, response) => response.end("<Error><Code>InternalError</Code></Error>"),
  ],
  [
    "a cut body",
    "PUT",
    (_, response) => {
      response.writeHead(200, { "content-length": 9 }).write("<", () => response.destroy());
    },
  ],
  ["nothing stored", "PUT", (_, response) => response.end()],
  ["another length", "HEAD", (_, response) => response.writeHead(200, { "content-length": 3 }).end()],
  ["no length", "HEAD", (_, response) => response.end()],
] satisfies [string, string, RequestListener][])("an object is not acknowledged: %s", async (_, method, answer) => {
  const small = await smallBucket();
  small.answer = to(method, answer);
  await expect(put(small.bucket)).rejects.toMatchObject({ kind: "unavailable" });
  expect(small.warnings).toHaveLength(1);
  small.answer = undefined;
  await put(small.bucket);
});

test.each([
  ["another range", 206, { "content-range": "bytes 0-2/10" }],
  ["the right range of another object's end", 206, { "content-range": "bytes 3-50/51" }],
  ["no range", 206, {}],
  ["the beginning of a whole", 200, {}],
])("a range is not served: %s", async (_, status, headers) => {
  const small = await smallBucket();
  await put(small.bucket);
  small.answer = to("GET", (_request, response) => response.writeHead(status, headers).end("012"));
  await expect(read(small.bucket, 3, 5)).rejects.toMatchObject({ kind: "unavailable" });
});

test("a whole object without a range is served", async () => {
  const small = await smallBucket();
  small.answer = to("GET", (_, response) => response.end("012"));
  expect(await read(small.bucket, 0, 2)).toBe("012");
});

const refusing = (status: number, code: string, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => response.writeHead(status, headers).end(`<Error><Code>${code}</Code></Error>`);
};

test.each([
  [refusing(403, "RequestTimeTooSkewed"), "403 RequestTimeTooSkewed. Set the clock of this machine."],
  [refusing(403, "AccessDenied"), "403 AccessDenied. The key needs the rights"],
  [refusing(403, "SignatureDoesNotMatch"), "Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."],
  [refusing(400, "ExpiredToken"), "renew AWS_ACCESS_KEY_ID"],
  [
    refusing(301, "PermanentRedirect", { "x-amz-bucket-region": "eu-west-3" }),
    "AWS_REGION and AWS_ENDPOINT_URL_S3. It names the region eu-west-3.",
  ],
  [
    refusing(307, "TemporaryRedirect", { location: "http://127.0.0.1:9/" }),
    "check AWS_REGION and AWS_ENDPOINT_URL_S3.",
  ],
])("the operator gets the cause and advice, and the caller neither: %#", async (answer, advice) => {
  const small = await smallBucket();
  small.answer = to("PUT", answer);
  await expect(put(small.bucket)).rejects.toMatchObject({
    kind: "unavailable",
    message: "The platform cannot use its storage of artifacts. Its log has the reason.",
  });
  expect(small.warnings).toEqual([expect.stringContaining(advice)]);
  expect(small.warnings[0]).toMatch(
    /^Artifacts cannot be stored\. The bucket artifacts at http:\S+: it answers PUT with /,
  );
});

test("trouble is reported once, again when it changes, and when it is over", async () => {
  const small = await smallBucket();
  const failing = async (code: string): Promise<void> => {
    small.answer = to("PUT", refusing(503, code));
    await expect(put(small.bucket)).rejects.toThrow("Try again later.");
  };
  for (const code of ["SlowDown", "SlowDown", "InternalError", "InternalError"]) await failing(code);
  // Another kind of request says nothing of this one.
  await small.bucket.list("");
  small.answer = undefined;
  await put(small.bucket);
  await put(small.bucket);
  expect(small.warnings.map((line) => line.replace(/^(\S+ \S+ \S+ \S+).*?(\w+)?\.$/, "$1 $2"))).toEqual([
    "Artifacts cannot be stored. SlowDown",
    "Artifacts cannot be stored. InternalError",
    "Artifacts can be stored answers",
  ]);
});

test("a content that breaks off is reported; a reader who leaves is not", async () => {
  const small = await smallBucket();
  await put(small.bucket);
  const left = await small.bucket.get("one", { start: 0, end: 9 });
  left.destroy();
  small.answer = to("GET", (_, response) => {
    response.writeHead(206, { "content-range": "bytes 0-9/10" }).write("012", () => response.destroy());
  });
  await expect(read(small.bucket, 0, 9)).rejects.toThrow("aborted");
  await expect.poll(() => small.warnings).toEqual([expect.stringContaining("Artifacts cannot be read.")]);
});
