import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type Bucket, openBucket, readBucketPlace } from "../../../../../cli/local-platform/stored/bucket.ts";

const noObjects = '<?xml version="1.0"?><ListBucketResult></ListBucketResult>';

/** Starts a server, and returns a function that opens a bucket there. */
async function serve(answer: RequestListener): Promise<(patience?: number) => Promise<Bucket>> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const env = { AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  return (patience) => openBucket(readBucketPlace("s3://artifacts", env), patience);
}

/** Answers the first requests as given, and all others with an empty list. */
function afterwards(first: readonly ((...of: Parameters<RequestListener>) => void)[]): {
  readonly answer: RequestListener;
  count(): number;
} {
  let count = 0;
  return {
    answer: (request, response) => (first[count++] ?? ((_, one) => one.end(noObjects)))(request, response),
    count: () => count,
  };
}

const failing = (status: number): RequestListener => {
  return (_, response) => response.writeHead(status).end("<Error><Code>SlowDown</Code></Error>");
};

test.each([
  ["an error of the server", failing(500)],
  ["a server that wants fewer requests", failing(429)],
  ["a server that starts", failing(503)],
  ["a broken connection", (({ socket }) => socket.destroy()) satisfies RequestListener],
])("a start waits for the bucket: %s", async (_, failure) => {
  const { answer, count } = afterwards([failure, failure]);
  const open = await serve(answer);
  await open(60_000);
  expect(count()).toBe(3);
});

test.each([
  ["wrong keys", failing(403), "it answers GET with 403 SlowDown."],
  ["no bucket", failing(404), "it answers GET with 404 SlowDown."],
  [
    "a server of another protocol",
    (({ socket }) => void socket.end("SSH-2.0\r\n")) satisfies RequestListener,
    "Parse Error",
  ],
  ["another kind of server", ((_, response) => response.end("<html>")) satisfies RequestListener, "with no list."],
])("a start ends at once where waiting does not help: %s", async (_, failure, reason) => {
  const { answer, count } = afterwards([failure]);
  const open = await serve(answer);
  await expect(open(60_000)).rejects.toThrow(reason);
  expect(count()).toBe(1);
});

test.each(["127.0.0.1", "localhost"])("the error names the reason in a sentence: a closed port of %s", async (host) => {
  const env = { AWS_ENDPOINT_URL_S3: `http://${host}:9`, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  await expect(openBucket(readBucketPlace("s3://artifacts", env))).rejects.toThrow(
    /^The bucket artifacts at http:\/\/\w.* cannot be used: connect ECONNREFUSED [\d.:]+\.$/,
  );
});

test("without patience, a start ends at the first failure", async () => {
  const { answer, count } = afterwards([failing(500)]);
  const open = await serve(answer);
  await expect(open()).rejects.toThrow("The bucket artifacts at http://127.0.0.1:");
  expect(count()).toBe(1);
});

test("a list of elements without ends is refused at once, and one that repeats its page after its first repetition", async () => {
  let list = noObjects;
  let pages = 0;
  const open = await serve((_, response) => {
    pages++;
    response.end(list);
  });
  const bucket = await open();
  list = `<ListBucketResult>${"<Contents>".repeat(600_000)}</ListBucketResult>`;
  const began = process.cpuUsage();
  await expect(bucket.list("")).rejects.toMatchObject({ kind: "unavailable" });
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(20);
  list = "<ListBucketResult><NextContinuationToken>a&amp;b</NextContinuationToken></ListBucketResult>";
  pages = 0;
  await expect(bucket.list("")).rejects.toMatchObject({ kind: "unavailable" });
  expect(pages).toBe(2);
  list = "<ListBucketResult><Contents><Key>one</Key><Size>3</Size></Contents></ListBucketResult>";
  expect(await bucket.list("")).toEqual([{ key: "one", size: 3 }]);
});
