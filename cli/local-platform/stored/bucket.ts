import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { AwsClient } from "aws4fetch";
import { ToolError } from "../../../runtime/base/errors.ts";
import { connectionCodes, openWhenUp } from "../../../runtime/executor/store/open-when-up.ts";
import { StoreError } from "../../../runtime/executor/store/store-error.ts";
import type { ByteRange } from "./artifact-bytes.ts";
import { exactly, sendToBucket, textOfBucket } from "./bucket-request.ts";

/** Maximum number of pages of a list, each of a thousand objects. */
const mostPages = 1000;

/** The address of a bucket, from `s3://BUCKET/PREFIX` and the environment variables of AWS's own tools. */
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

/** Reads the address of a bucket. Throws a `StoreError` that names what is missing. */
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

/**
 * Opens a bucket, and checks that it can be listed. Waits up to `patience` milliseconds for a server that cannot be
 * reached or answers with a failure of its own. Rejects with a `StoreError` that explains the problem.
 */
export async function openBucket(place: BucketPlace, patience = 0): Promise<Bucket> {
  const bucket = new Bucket(await createSigner(place), place);
  const open = async (): Promise<Bucket> => {
    try {
      await bucket.list("", 1);
      return bucket;
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      throw new StoreError(`The bucket ${place.bucket} at ${place.endpoint} cannot be used: ${reasonOf(cause)}`, {
        cause,
      });
    }
  };
  return openWhenUp({ patience, open, isDown });
}

/** Node reports a failure at several addresses of one host as one error without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message : String(error);
  return text.endsWith(".") ? text : `${text}.`;
}

/** True for an answer that says that the server fails, and where no server answers. */
function isDown(cause: unknown): boolean {
  if (cause instanceof Refusal) return cause.status >= 500 || cause.status === 429;
  return cause instanceof Error && "code" in cause && connectionCodes.includes(String(cause.code));
}

class Refusal extends Error {
  readonly status: number;

  constructor(method: string, status: number, said: string | undefined) {
    super(`it answers ${method} with ${status}${said === undefined ? "" : ` ${said}`}.`);
    this.status = status;
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

/** Returns the content of the first element of a name. It reads linearly, whatever the store sends. */
function elementOf(text: string, name: string): string | undefined {
  const start = text.indexOf(`<${name}>`);
  const end = start < 0 ? -1 : text.indexOf(`</${name}>`, start);
  return end < 0 ? undefined : text.slice(start + name.length + 2, end);
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

  /** Part of an object. The stream fails if the bucket sends another number of bytes. */
  async get(key: string, { start, end }: ByteRange): Promise<Readable> {
    const answer = await this.#ask("GET", this.#url(key), { range: `bytes=${start}-${end}` });
    try {
      return exactly(answer, end - start + 1);
    } catch (error) {
      throw unreachable(error);
    }
  }

  /** Removes an object; a missing object is not an error. */
  async remove(key: string): Promise<void> {
    (await this.#ask("DELETE", this.#url(key), {})).resume();
  }

  /** The objects whose keys begin with a text, in their order. @param most Default: all of them */
  async list(start: string, most = Infinity): Promise<readonly { readonly key: string; readonly size: number }[]> {
    const { prefix } = this.#place;
    const folder = prefix === "" ? "" : `${prefix}/`;
    const found: { readonly key: string; readonly size: number }[] = [];
    let pages = 0;
    for (let token: string | undefined = ""; token !== undefined && found.length < most;) {
      if (++pages > mostPages) throw unreachable(new Error(`its list has more than ${mostPages} pages.`));
      const url = new URL(this.#url(""));
      url.pathname = `/${this.#place.bucket}`;
      url.searchParams.set("list-type", "2");
      url.searchParams.set("prefix", folder + start);
      if (most < 1000) url.searchParams.set("max-keys", String(most));
      if (token !== "") url.searchParams.set("continuation-token", token);
      const text = await this.#text(url.href);
      for (const item of text.split("<Contents>").slice(1)) {
        if (!item.includes("</Contents>")) throw unreachable(new Error("its list is cut."));
        const key = unescaped(elementOf(item, "Key") ?? "");
        found.push({ key: key.slice(folder.length), size: Number(elementOf(item, "Size")) || 0 });
      }
      const next = elementOf(text, "NextContinuationToken");
      const following = next === undefined ? undefined : unescaped(next);
      if (following === token) throw unreachable(new Error("its list repeats a page without end."));
      token = following;
    }
    return found;
  }

  /** Fetches the text of a list. */
  async #text(url: string): Promise<string> {
    const answer = await this.#ask("GET", url, {});
    try {
      const text = await textOfBucket(answer);
      if (!text.includes("<ListBucketResult")) throw new Error("it answers with no list.");
      return text;
    } catch (error) {
      throw unreachable(error);
    }
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
      // The signature does not cover the body: its digest has been checked, and TLS protects it in transit.
      const signed = await this.#signer.sign(url, { method, headers: { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" } });
      const answer = await sendToBucket(url, method, { ...Object.fromEntries(signed.headers), ...headers }, body);
      const { statusCode = 0 } = answer;
      if (statusCode < 300 || (method === "DELETE" && statusCode === 404)) return answer;
      const said = /<Code>(\w+)<\/Code>/.exec(await textOfBucket(answer))?.[1];
      throw new Refusal(method, statusCode, said);
    } catch (error) {
      body?.destroy();
      throw unreachable(error);
    }
  }
}

function unreachable(cause: unknown): ToolError {
  const text = "The artifacts of the platform cannot be reached. Try again later.";
  return new ToolError("unavailable", text, { retryAfter: 5, cause });
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
