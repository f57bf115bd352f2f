import { pipeline } from "node:stream/promises";
import { ToolError } from "../../../runtime/base/errors.ts";
import type { ArtifactStore, NewArtifact, StoredArtifact } from "../stored/artifact-store.ts";
import type { UploadClaims } from "../stored/upload-claims.ts";
import { checksumOf, infoHeaders, lengthOf, nameOf, rangeOf, reprDigest } from "./artifact-headers.ts";
import { notFound, type Exchange } from "./exchange.ts";
import { requireJob, writerOf } from "./job-access.ts";
import { onceKeyOf } from "./job-headers.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { JobTokens } from "../jobs/job-token.ts";
import { readPage, sendPage } from "./pages.ts";

const tus = ["Tus-Resumable", "1.0.0"];
/** Status "Checksum Mismatch" of the resumable upload protocol. */
const checksumMismatch = 460;

export interface ArtifactRouteOptions {
  readonly artifacts: ArtifactStore;
  readonly claims: UploadClaims;
  readonly queue: JobQueue;
  readonly tokens: JobTokens;
}

/** Handlers of `/artifacts`: contents are streamed, and uploads and downloads can be resumed. */
export class ArtifactRoutes {
  readonly #options: ArtifactRouteOptions;

  constructor(options: ArtifactRouteOptions) {
    this.#options = options;
  }

  async handle(exchange: Exchange): Promise<void> {
    const [, id, below] = exchange.segments;
    if (id === undefined) {
      if (exchange.method === "POST") return this.#create(exchange);
      if (exchange.method === "GET") return this.#list(exchange);
      throw new ToolError("method-not-allowed", "Use GET or POST here.");
    }
    const isRead = exchange.method === "HEAD" || exchange.method === "GET";
    const artifact = await (isRead ? this.#find(id) : this.#options.artifacts.get(id));
    if (artifact === undefined || (below !== undefined && below !== "blob")) {
      throw notFound(`artifact ${JSON.stringify(id.slice(0, 250))}`);
    }
    switch (exchange.method) {
      case "PATCH":
        return this.#append(exchange, artifact);
      case "HEAD":
        return below === "blob" ? this.#offset(exchange, artifact) : head(exchange, artifact);
      case "GET":
        return this.#read(exchange, artifact);
      default:
        throw new ToolError("method-not-allowed", "Use GET, HEAD or PATCH here.");
    }
  }

  /** Finds an artifact for a reader; one whose end a killed process has not recorded is completed first. */
  async #find(id: string): Promise<StoredArtifact | undefined> {
    const { artifacts, claims } = this.#options;
    const found = await artifacts.get(id);
    if (found === undefined || !(await artifacts.isWhole(found))) return found;
    return claims.during(
      found.id,
      () => artifacts.complete(found),
      () => found,
    );
  }

  async #create(exchange: Exchange): Promise<void> {
    const { artifacts } = this.#options;
    const job = await writerOf(exchange, this.#options);
    const key = onceKeyOf(exchange, job ?? "");
    const resumable = exchange.header("tus-resumable") !== undefined;
    const artifact: NewArtifact = {
      name: nameOf(exchange),
      type: exchange.header(resumable ? "x-content-type" : "content-type") ?? "application/octet-stream",
      size: resumable ? (lengthOf(exchange, "x-content-length") ?? lengthOf(exchange, "upload-length") ?? null) : null,
      policy: exchange.header("x-policy") ?? null,
      collection: exchange.header("x-collection") ?? null,
      job,
    };
    const stored = resumable
      ? await artifacts.announce(artifact, key)
      : await artifacts.store(artifact, { content: exchange.incoming(), sha256: reprDigest(exchange) }, key);
    return created(exchange, stored);
  }

  async #append(exchange: Exchange, found: StoredArtifact): Promise<void> {
    const { artifacts, claims } = this.#options;
    const job = await writerOf(exchange, this.#options);
    if (job !== null) requireJob(job, found.job);
    const offset = lengthOf(exchange, "upload-offset");
    if (offset === undefined) throw new ToolError("bad-request", "PATCH needs the header Upload-Offset.");
    await claims.during(
      found.id,
      async () => {
        // Since the artifact was found, another request may have gone on with it, or completed it.
        const artifact = (await artifacts.get(found.id)) ?? found;
        if (artifact.status === "ready" || offset !== (await artifacts.offset(artifact)))
          return this.#refuse(exchange, artifact);
        const piece = { offset, content: exchange.incoming(), sha256: checksumOf(exchange) };
        const whole = { length: lengthOf(exchange, "upload-length"), sha256: reprDigest(exchange) };
        const next = await artifacts.append(artifact, piece, whole);
        if (next === undefined) exchange.json(checksumMismatch, { message: "The piece was garbled on its way." }, tus);
        else exchange.send(204, [...tus, "Upload-Offset", String(next)]);
      },
      () => this.#refuse(exchange, found),
    );
  }

  async #refuse(exchange: Exchange, artifact: StoredArtifact): Promise<void> {
    exchange.request.resume();
    const received = String(await this.#options.artifacts.offset(artifact));
    const message = "The upload has another offset, or another request writes it; read the offset with HEAD.";
    exchange.json(409, { message }, [...tus, "Upload-Offset", received]);
  }

  async #offset(exchange: Exchange, artifact: StoredArtifact): Promise<void> {
    const length = artifact.size === null ? ["Upload-Defer-Length", "1"] : ["Upload-Length", String(artifact.size)];
    const offset = String(await this.#options.artifacts.offset(artifact));
    exchange.send(200, [...tus, "Upload-Offset", offset, ...length, "Cache-Control", "no-store"]);
  }

  async #read(exchange: Exchange, artifact: StoredArtifact): Promise<void> {
    const { id, status, size } = artifact;
    if (status !== "ready" || size === null) {
      return exchange.json(409, { message: `The artifact is not there yet: its status is ${status}.`, id });
    }
    const range = rangeOf(exchange.header("range"), size);
    if (range === null) {
      return exchange.json(416, { message: "There is nothing in that range.", id }, [
        "Content-Range",
        `bytes */${size}`,
      ]);
    }
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const partial = range === undefined ? [] : ["Content-Range", `bytes ${start}-${end}/${size}`];
    const content = size === 0 ? undefined : await this.#options.artifacts.read(id, { start, end });
    const headers = [...infoHeaders(artifact), ...partial, "Content-Length", String(end - start + 1)];
    const response = exchange.stream(range === undefined ? 200 : 206, headers);
    if (content === undefined) response.end();
    else await pipeline(content, response).catch(() => exchange.cut());
  }

  async #list(exchange: Exchange): Promise<void> {
    const page = readPage(exchange);
    const rows = await this.#options.artifacts.page(page.before ?? Number.MAX_SAFE_INTEGER, page.limit + 1);
    const items = rows.map(({ seq, id, name, type, size, sha256, status, policy, collection, job, created }) => ({
      seq,
      item: {
        id,
        name,
        status,
        size,
        "content-type": type,
        "created-at": created,
        sha256: status === "ready" ? sha256 : null,
        policy,
        collection,
        "made-by": job,
      },
    }));
    sendPage(exchange, "artifacts", page, items);
  }
}

function head(exchange: Exchange, artifact: StoredArtifact): void {
  const length = artifact.size === null ? [] : ["Content-Length", String(artifact.size)];
  exchange.stream(200, [...infoHeaders(artifact), ...length]).end();
}

function created(exchange: Exchange, { id, status }: StoredArtifact): void {
  const path = `/artifacts/${encodeURIComponent(id)}`;
  const body = { id, status, "data-href": `${path}/blob` };
  exchange.json(201, body, ["Location", path, ...(status === "ready" ? [] : tus)]);
}
