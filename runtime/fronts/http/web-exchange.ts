import type { HttpCall } from "../../job/job.ts";
import { ByteGatherer } from "../../base/byte-gatherer.ts";
import { ToolError } from "../../base/errors.ts";
import { toResponse, type Answer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { tooLarge } from "./read-body.ts";

/** Parts of a request that only its host knows. */
export interface WebHost {
  /** Path without the prefix of the host application. */
  readonly path: string;
  readonly address: string | undefined;
}

/** Answers a web request. Never rejects. */
export function answerWeb(handle: (exchange: Exchange) => void, request: Request, host: WebHost): Promise<Response> {
  return new Promise((respond) => {
    handle(new WebExchange(request, host, respond));
  });
}

/** An exchange for hosts with `Request` and `Response`. */
class WebExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly host: string;
  readonly scheme: string;
  readonly address: string | undefined;
  readonly #request: Request;
  readonly #respond: (response: Response) => void;
  readonly #listeners: (() => void)[] = [];
  #added: readonly string[] = [];
  #status: number | undefined;
  /** True when the answer is complete or the caller has disconnected. */
  #isOver = false;
  #isGone = false;

  constructor(request: Request, { path, address }: WebHost, respond: (response: Response) => void) {
    const { host, protocol, search } = new URL(request.url);
    this.method = request.method;
    this.path = path;
    this.query = search.slice(1);
    this.host = request.headers.get("host") ?? host;
    this.scheme = protocol.slice(0, -1);
    this.address = address;
    this.#request = request;
    this.#respond = respond;
    if (request.signal.aborted) this.#leave();
    else request.signal.addEventListener("abort", () => this.#leave(), { once: true });
  }

  get call(): HttpCall {
    const { method, url, headers } = this.#request;
    const status = (): number | undefined => this.#status;
    return {
      req: { method, url: this.path + new URL(url).search, headers: Object.fromEntries(headers) },
      get headersSent() {
        return status() !== undefined;
      },
      get statusCode() {
        return status() ?? 200;
      },
    };
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  body(limit: number, done: (error: ToolError | undefined, body: Buffer) => void): void {
    const declared = Number(this.header("content-length") ?? 0);
    if (declared > limit) {
      done(tooLarge(limit), empty);
      return;
    }
    void readAll(this.#request.body, limit, declared).then(
      (body) => done(undefined, body),
      (thrown: unknown) => {
        // The error is dropped if the caller has disconnected and needs no answer.
        if (!this.#isGone) done(thrown instanceof ToolError ? thrown : unreadable(), empty);
      },
    );
  }

  onGone(listener: () => void): void {
    if (this.#isGone) listener();
    else this.#listeners.push(listener);
  }

  addHeaders(headers: readonly string[]): void {
    this.#added = headers;
  }

  answer({ status, headers, body }: Answer): void {
    const isStream = body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array);
    const hasNoBody = this.method === "HEAD" || this.#isOver || this.#status !== undefined;
    if (hasNoBody && isStream) void body.cancel().catch(() => {});
    if (this.#isOver || this.#status !== undefined) return;
    this.#status = status;
    this.#isOver = hasNoBody || !isStream;
    const all = [...headers, ...this.#added];
    this.#respond(toResponse({ status, headers: all, body: hasNoBody ? undefined : body }));
  }

  cut(): void {
    this.#leave();
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isGone = true;
    // A response is given even if nobody will read it, since the host waits for one.
    if (this.#status === undefined) this.#respond(new Response(null, { status: 499 }));
    for (const listener of this.#listeners) listener();
  }
}

async function readAll(body: ReadableStream<Uint8Array> | null, limit: number, declared: number): Promise<Buffer> {
  if (body === null) return empty;
  const bytes = new ByteGatherer(declared);
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    bytes.add(chunk);
  }
  return bytes.whole();
}

function unreadable(): ToolError {
  return new ToolError("bad-request", "The body of the request could not be read.");
}

const empty = Buffer.alloc(0);
