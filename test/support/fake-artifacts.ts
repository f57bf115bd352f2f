import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** One call, as it came. */
export interface PlatformCall {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export interface StoredArtifact {
  name: string;
  contentType: string;
  content: Buffer;
  status: string;
  /** Digest that it tells, when that is not the truth. */
  digest?: string;
  length: number | undefined;
}

/** The artifacts of a platform: range, resumable upload, idempotency keys. */
export interface FakeArtifacts {
  readonly all: Map<string, StoredArtifact>;
  put(id: string, content: Buffer | string, more?: Partial<StoredArtifact>): string;
  /** Sets the status in answers to requests with the whole content. */
  statusOfWhole(status: string): void;
  /** @param segments What stands behind `/artifacts/`, decoded. */
  answer(call: PlatformCall, segments: readonly string[], response: ServerResponse): void;
}

export const digestOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("base64");

/** @param nextNumber Numbers of what is made, so that ids are the same in every run. */
export function fakeArtifacts(nextNumber: () => number): FakeArtifacts {
  const all = new Map<string, StoredArtifact>();
  const created = new Map<string, string>();
  let statusOfWhole = "ready";

  function create({ headers, body }: PlatformCall, response: ServerResponse): void {
    const key = String(headers["idempotency-key"]);
    const urn = created.get(key) ?? `urn:platform:artifact:${nextNumber()}`;
    created.set(key, urn);
    const resumable = headers["tus-resumable"] !== undefined;
    const length = headers["x-content-length"];
    all.set(urn, {
      name: Buffer.from(String(headers["x-name"]), "base64").toString(),
      contentType: String(headers[resumable ? "x-content-type" : "content-type"]),
      content: body,
      status: resumable ? "pending" : statusOfWhole,
      length: typeof length === "string" ? Number(length) : undefined,
    });
    const href = `http://elsewhere.example/artifacts/${encodeURIComponent(urn)}/blob`;
    send(response, 201, {
      id: urn,
      status: resumable ? "pending" : statusOfWhole,
      ...(resumable && { "data-href": href }),
    });
  }

  function patch({ headers, body }: PlatformCall, stored: StoredArtifact, response: ServerResponse): void {
    if (headers["upload-offset"] !== String(stored.content.length)) return send(response, 409, { message: "offset" });
    if (headers["upload-checksum"] !== `sha256 ${digestOf(body)}`) return send(response, 460);
    stored.content = Buffer.concat([stored.content, body]);
    if (headers["upload-length"] !== undefined) stored.length = Number(headers["upload-length"]);
    stored.status = stored.content.length === stored.length ? "ready" : "partial";
    response.writeHead(204, { "Upload-Offset": String(stored.content.length) }).end();
  }

  function read({ method, headers }: PlatformCall, stored: StoredArtifact, response: ServerResponse): void {
    const range = /^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1];
    const from = range === undefined ? 0 : Number(range);
    const part = stored.content.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      "Content-Type": stored.contentType,
      "Content-Length": part.length,
      "X-Name": Buffer.from(stored.name).toString("base64"),
      "X-Status": stored.status,
      "Repr-Digest": `sha-256=:${stored.digest ?? digestOf(stored.content)}:`,
      ...(from > 0 && { "Content-Range": `bytes ${from}-${stored.content.length - 1}/${stored.content.length}` }),
    });
    response.end(method === "HEAD" ? undefined : part);
  }

  return {
    all,
    put(id, content, more = {}) {
      const urn = `urn:platform:artifact:${id}`;
      const bytes = Buffer.from(content as string);
      all.set(urn, {
        name: id,
        contentType: "text/plain",
        content: bytes,
        status: "ready",
        length: bytes.length,
        ...more,
      });
      return urn;
    },
    statusOfWhole: (status) => void (statusOfWhole = status),
    answer(call, [urn, blob], response) {
      if (call.method === "POST") return create(call, response);
      const stored = urn === undefined ? undefined : all.get(urn);
      if (stored === undefined) return send(response, 404, { message: `no artifact`, id: urn });
      if (call.method === "PATCH") return patch(call, stored, response);
      if (call.method === "HEAD" && blob === "blob") {
        response.writeHead(200, { "Upload-Offset": String(stored.content.length) }).end();
        return undefined;
      }
      return read(call, stored, response);
    },
  };
}

/** Sends JSON, or a status alone. */
export function send(
  response: ServerResponse,
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): void {
  const text = body === undefined ? undefined : JSON.stringify(body);
  response.writeHead(status, { ...(text !== undefined && { "Content-Type": "application/json" }), ...headers });
  response.end(text);
}
