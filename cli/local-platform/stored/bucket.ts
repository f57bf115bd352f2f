import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import type { AwsClient } from "aws4fetch";
import { ToolError } from "../../../runtime/base/errors.ts";
import { StoreError } from "../../../runtime/executor/store/store-error.ts";
import type { ByteRange } from "./artifact-bytes.ts";

/** Milliseconds in which the bucket must say something. */
const patience = 60_000;

/** The place of objects, from `s3://BUCKET/PREFIX` and the variables that AWS's own tools read. */
export interface BucketPlace {
  readonly bucket: string;
  /** Without slashes at its ends; may be empty. */
  readonly prefix: string;
  /** Address of the server, for example `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Reads the address of a bucket. Throws a `StoreError` that says what is missing. */
export function readBucketPlace(spec: string, env: Readonly<Record<string, string | undefined>>): BucketPlace {
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(spec) ?? [];
  if (bucket === undefined) {
    throw new StoreError(`--artifacts is ${JSON.stringify(spec)}; write the bucket as s3://NAME or s3://NAME/PREFIX.`);
  }
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const [accessKeyId, secretAccessKey] = [text("AWS_ACCESS_KEY_ID"), text("AWS_SECRET_ACCESS_KEY")];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new StoreError(`--artifacts ${spec} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.`);
  }
  const region = text("AWS_REGION") ?? text("AWS_DEFAULT_REGION") ?? "us-east-1";
  const endpoint = text("AWS_ENDPOINT_URL_S3") ?? text("AWS_ENDPOINT_URL") ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")) {
    throw new StoreError(`AWS_ENDPOINT_URL_S3 is ${JSON.stringify(endpoint)}, which is not an http URL.`);
  }
  return {
    bucket,
    prefix: prefix.replaceAll(/^\/+|\/+$/g, ""),
    endpoint: endpoint.replace(/\/+$/, ""),
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: text("AWS_SESSION_TOKEN"),
  };
}

/** Opens a bucket, and sees that it can be listed. Rejects with a `StoreError` that says what is wrong. */
export async function openBucket(place: BucketPlace): Promise<Bucket> {
  const bucket = new Bucket(await createSigner(place), place);
  try {
    await bucket.list("", 1);
    return bucket;
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new StoreError(`The bucket ${place.bucket} at ${place.endpoint} cannot be used: ${reason}`, { cause: error });
  }
}

async function createSigner({ accessKeyId, secretAccessKey, sessionToken, region }: BucketPlace): Promise<AwsClient> {
  const module = await import("aws4fetch").catch((error: unknown) => {
    throw new StoreError('Artifacts in a bucket need the package "aws4fetch". Run npm install aws4fetch.', {
      cause: error,
    });
  });
  const session = sessionToken === undefined ? {} : { sessionToken };
  return new module.AwsClient({ accessKeyId, secretAccessKey, ...session, service: "s3", region });
}

/** Objects below a prefix. Every method rejects with a `ToolError`. */
export class Bucket {
  readonly #signer: AwsClient;
  readonly #place: BucketPlace;

  constructor(signer: AwsClient, place: BucketPlace) {
    this.#signer = signer;
    this.#place = place;
  }

  /** Stores an object of `length` bytes. */
  async put(key: string, content: Readable, length: number): Promise<void> {
    const answer = await this.#ask("PUT", this.#url(key), { "content-length": String(length) }, content);
    answer.resume();
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
    return this.#ask("GET", this.#url(key), headers);
  }

  /** Removes an object; one that is not there is no error. */
  async remove(key: string): Promise<void> {
    (await this.#ask("DELETE", this.#url(key), {})).resume();
  }

  /** The objects whose keys begin with a text, in their order. @param most Default: all of them */
  async list(start: string, most = Infinity): Promise<readonly { readonly key: string; readonly size: number }[]> {
    const { prefix } = this.#place;
    const folder = prefix === "" ? "" : `${prefix}/`;
    const found: { readonly key: string; readonly size: number }[] = [];
    for (let token: string | undefined = ""; token !== undefined && found.length < most;) {
      const url = new URL(this.#url(""));
      url.pathname = `/${this.#place.bucket}`;
      url.searchParams.set("list-type", "2");
      url.searchParams.set("prefix", folder + start);
      if (most < 1000) url.searchParams.set("max-keys", String(most));
      if (token !== "") url.searchParams.set("continuation-token", token);
      const text = await textOf(await this.#ask("GET", url.href, {}));
      for (const [, item = ""] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = unescaped(/<Key>(.*?)<\/Key>/s.exec(item)?.[1] ?? "");
        found.push({ key: key.slice(folder.length), size: Number(/<Size>(\d+)<\/Size>/.exec(item)?.[1] ?? 0) });
      }
      const next = /<NextContinuationToken>(.*?)<\/NextContinuationToken>/s.exec(text)?.[1];
      token = next === undefined ? undefined : unescaped(next);
    }
    return found;
  }

  #url(key: string): string {
    const { endpoint, bucket, prefix } = this.#place;
    return `${endpoint}/${bucket}/${[prefix, key].filter((part) => part !== "").join("/")}`;
  }

  async #ask(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body?: Readable,
  ): Promise<IncomingMessage> {
    try {
      // A body is not signed: its digest has been checked, and TLS keeps it on its way.
      const signed = await this.#signer.sign(url, { method, headers: { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" } });
      const answer = await send(url, method, { ...Object.fromEntries(signed.headers), ...headers }, body);
      const { statusCode = 0 } = answer;
      if (statusCode < 300 || (method === "DELETE" && statusCode === 404)) return answer;
      const said = /<Code>(\w+)<\/Code>/.exec(await textOf(answer))?.[1];
      throw new Error(`it answers ${method} with ${statusCode}${said === undefined ? "" : ` ${said}`}.`);
    } catch (error) {
      body?.destroy();
      throw new ToolError("unavailable", "The artifacts of the platform cannot be reached. Try again later.", {
        retryAfter: 5,
        cause: error,
      });
    }
  }
}

function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: Readable | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.startsWith("https:") ? httpsRequest : httpRequest)(url, { method, headers }, resolve);
    request.setTimeout(patience, () => request.destroy(new Error("it has not answered for a minute.")));
    request.on("error", reject);
    if (body === undefined) request.end();
    else pipeline(body, request).catch(reject);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += chunk as string;
  return text;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
