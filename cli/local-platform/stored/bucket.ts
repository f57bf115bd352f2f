import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { AwsClient } from "aws4fetch";
import type { ToolError } from "../../../runtime/base/errors.ts";
import { openWhenUp } from "../../../runtime/executor/store/open-when-up.ts";
import { StoreError } from "../../../runtime/executor/store/store-error.ts";
import type { ByteRange } from "./artifact-bytes.ts";
import { exactly, sendToBucket, textOfBucket } from "./bucket-request.ts";
import { BucketTrouble, isDown, reasonOf, Refusal } from "./bucket-trouble.ts";

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
 *
 * @param warn Gets later problems, for the operator of the platform
 */
export async function openBucket(
  place: BucketPlace,
  patience = 0,
  warn: (line: string) => void = () => {},
): Promise<Bucket> {
  const signer = await createSigner(place);
  const open = async (): Promise<Bucket> => {
    try {
      // Problems of the start are in its error.
      await new Bucket(signer, place, () => {}).list("", 1);
      return new Bucket(signer, place, warn);
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      throw new StoreError(`The bucket ${place.bucket} at ${place.endpoint} cannot be used: ${reasonOf(cause)}`, {
        cause,
      });
    }
  };
  return openWhenUp({ patience, open, isDown });
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

export interface ListedObject {
  readonly key: string;
  readonly size: number;
}

/** Objects below a prefix. Every method rejects with a `ToolError`. */
export class Bucket {
  readonly #signer: AwsClient;
  readonly #place: BucketPlace;
  readonly #trouble: BucketTrouble;

  constructor(signer: AwsClient, place: BucketPlace, warn: (line: string) => void) {
    this.#signer = signer;
    this.#place = place;
    this.#trouble = new BucketTrouble(`The bucket ${place.bucket} at ${place.endpoint}`, warn);
  }

  /** Stores an object of `length` bytes, and asks for its length, since not every 200 means that it is stored. */
  put(key: string, content: Readable, length: number): Promise<void> {
    return this.#try("stored", async () => {
      const url = this.#url(key);
      const answer = await this.#ask("PUT", url, { "content-length": String(length) }, content);
      const code = codeIn(await textOfBucket(answer));
      if (code !== undefined) throw new Refusal("PUT", answer.statusCode ?? 200, code);
      const stored = await this.#ask("HEAD", url, {});
      stored.resume();
      const { "content-length": size = "an unknown number of" } = stored.headers;
      if (size !== String(length)) throw new Error(`it has ${size} bytes of an object of ${length}.`);
    });
  }

  /** Part of an object. The stream fails if the bucket sends another number of bytes. */
  get(key: string, range: ByteRange): Promise<Readable> {
    return this.#try("read", async () => {
      const answer = await this.#ask("GET", this.#url(key), { range: `bytes=${range.start}-${range.end}` });
      return exactly(answer, range, (error) => void this.unreadable(error));
    });
  }

  /** Reports a wrong content. Returns the error for the caller. */
  unreadable(cause: unknown): ToolError {
    return this.#trouble.failed("read", cause);
  }

  /** Removes an object; a missing object is not an error. */
  remove(key: string): Promise<void> {
    return this.#try("removed", async () => void (await this.#ask("DELETE", this.#url(key), {})).resume());
  }

  /** The objects whose keys begin with a text, in their order. @param most Default: all of them */
  list(start: string, most = Infinity): Promise<readonly ListedObject[]> {
    return this.#try("looked up", () => this.#list(start, most));
  }

  async #list(start: string, most: number): Promise<readonly ListedObject[]> {
    const { prefix } = this.#place;
    const folder = prefix === "" ? "" : `${prefix}/`;
    const found: ListedObject[] = [];
    let pages = 0;
    for (let token: string | undefined = ""; token !== undefined && found.length < most;) {
      if (++pages > mostPages) throw new Error(`its list has more than ${mostPages} pages.`);
      const url = new URL(this.#url(""));
      url.pathname = `/${this.#place.bucket}`;
      url.searchParams.set("list-type", "2");
      url.searchParams.set("prefix", folder + start);
      if (most < 1000) url.searchParams.set("max-keys", String(most));
      if (token !== "") url.searchParams.set("continuation-token", token);
      const text = await this.#text(url.href);
      for (const item of text.split("<Contents>").slice(1)) {
        if (!item.includes("</Contents>")) throw new Error("its list is cut.");
        const key = unescaped(elementOf(item, "Key") ?? "");
        found.push({ key: key.slice(folder.length), size: Number(elementOf(item, "Size")) || 0 });
      }
      const next = elementOf(text, "NextContinuationToken");
      const following = next === undefined ? undefined : unescaped(next);
      if (following === token) throw new Error("its list repeats a page without end.");
      token = following;
    }
    return found;
  }

  /** Fetches the text of a list. */
  async #text(url: string): Promise<string> {
    const text = await textOfBucket(await this.#ask("GET", url, {}));
    if (!text.includes("<ListBucketResult")) throw new Error("it answers with no list.");
    return text;
  }

  async #try<T>(kind: string, work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      this.#trouble.worked(kind);
      return done;
    } catch (error) {
      throw this.#trouble.failed(kind, error);
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
      const region = /^[\w-]{1,40}$/.exec(String(answer.headers["x-amz-bucket-region"] ?? ""))?.[0];
      throw new Refusal(method, statusCode, codeIn(await textOfBucket(answer)), region);
    } catch (error) {
      body?.destroy();
      throw error;
    }
  }
}

/** Returns the code of an error in a text of a bucket; undefined if the text has none. */
function codeIn(text: string): string | undefined {
  return /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? (text.includes("<Error") ? "Error" : undefined);
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
