import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { openBucket, readBucketPlace, type Bucket } from "../../cli/local-platform/stored/bucket.ts";

/** A bucket of this process whose answers a test may change. */
export interface SmallBucket {
  readonly bucket: Bucket;
  /** Contents by their keys. */
  readonly objects: Map<string, Buffer>;
  /** Lines for the operator. */
  readonly warnings: readonly string[];
  /** Answers in place of the bucket; returns false if it has not. */
  answer: ((...of: Parameters<RequestListener>) => boolean) | undefined;
}

/** Starts a bucket that keeps what it gets, without any check of signatures. */
export async function smallBucket(): Promise<SmallBucket> {
  const objects = new Map<string, Buffer>();
  const small: Pick<SmallBucket, "answer"> = { answer: undefined };
  const listOf = (prefix: string): string => {
    const items = [...objects].filter(([key]) => key.startsWith(prefix));
    const listed = items.map(([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`);
    return `<ListBucketResult>${listed.join("")}</ListBucketResult>`;
  };
  const server = createServer(async (request, response) => {
    if (small.answer?.(request, response) === true) return void request.resume();
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://bucket");
    const key = pathname.replace("/artifacts/", "");
    if (request.method === "PUT") objects.set(key, await buffer(request));
    if (request.method === "DELETE") objects.delete(key);
    if (searchParams.has("list-type")) return void response.end(listOf(searchParams.get("prefix") ?? ""));
    const content = objects.get(key);
    if (request.method === "PUT" || request.method === "DELETE") return void response.end();
    if (content === undefined) return void response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
    if (request.method === "HEAD") return void response.writeHead(200, { "content-length": content.length }).end();
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    response.writeHead(206, { "content-range": `bytes ${start}-${end}/${content.length}` });
    response.end(content.subarray(Number(start), Number(end) + 1));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const env = { AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  const warnings: string[] = [];
  const bucket = await openBucket(readBucketPlace("s3://artifacts", env), 0, (line) => void warnings.push(line));
  return Object.assign(small, { bucket, objects, warnings });
}
