import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ByteGatherer } from "../../../base/byte-gatherer.ts";
import { currentJob } from "../../../job/current-job.ts";
import { SidecarError, type SidecarAnswer } from "./sidecar-client.ts";

const maxIdle = 16;

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the base URL: begins with a slash, encoded, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Timeout in milliseconds until the answer begins, and between two chunks of its body. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** An answer with a streamed body. Iterate it to its end or call `discard`. */
export interface HttpStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Throws when the body is truncated, stalls for too long, or the signal is aborted. */
  readonly body: AsyncIterable<Uint8Array>;
  discard(): void;
}

/**
 * HTTP with streamed answers, in addition to `SidecarClient`. It adds nothing to a request: no job's context reaches
 * it.
 */
export interface PlatformHttp {
  /** Rejects with a `SidecarError` when no answer begins. */
  open(request: HttpRequest): Promise<HttpStream>;
}

/** HTTP below a base URL without a slash at its end. */
export function createPlatformHttp(baseUrl: string): PlatformHttp {
  const base = new URL(baseUrl);
  const secure = base.protocol === "https:";
  const http = secure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  const target = {
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: base.port === "" ? (secure ? 443 : 80) : Number(base.port),
    // Idle connections do not keep the process alive.
    agent: new http.Agent({ keepAlive: true, maxFreeSockets: maxIdle, scheduling: "lifo" }),
  };
  const prefix = base.pathname.replace(/\/+$/, "");
  const send = ({ method, path, headers, body }: HttpRequest): ClientRequest => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    return http.request({ ...target, method, path: prefix + path, headers: { ...headers, ...length } });
  };
  return {
    // Runs outside of the job: the outbound hooks would otherwise add the token of the current job. The caller passes
    // the right token itself.
    open: (request) => currentJob.exit(exchange, () => send(request), request, true),
  };
}

/** Reads the whole body of an answer. */
export async function collect(stream: HttpStream, limit: number): Promise<SidecarAnswer> {
  const bytes = new ByteGatherer();
  let size = 0;
  for await (const chunk of stream.body) {
    size += chunk.length;
    if (size > limit) throw new SidecarError("too-large", `the answer has more than ${limit} bytes`);
    bytes.add(chunk);
  }
  return { status: stream.status, headers: stream.headers, body: bytes.whole() };
}

function exchange(send: () => ClientRequest, request: HttpRequest, mayRetry: boolean): Promise<HttpStream> {
  return new Promise((resolve, reject) => {
    const { body, timeout, signal } = request;
    const outgoing = send();
    let response: IncomingMessage | undefined;
    const stop = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const fail = (error: SidecarError): void => {
      if (response !== undefined) {
        response.destroy(error);
        return;
      }
      stop();
      outgoing.destroy();
      reject(error);
    };
    const onAbort = (): void => fail(new SidecarError("aborted", "the job was stopped"));
    const onSilence = (): void => fail(new SidecarError("silent", `no data came for ${timeout} ms`));
    let timer = setTimeout(onSilence, timeout);
    const listen = (): void => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, timeout);
    };
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const reset = error.code === "ECONNRESET" || error.code === "EPIPE";
      // Retried, since the server may close an idle connection at the moment when it is used again.
      if (mayRetry && response === undefined && reset && outgoing.reusedSocket && signal?.aborted !== true) {
        stop();
        exchange(send, request, false).then(resolve, reject);
      } else fail(faultOf(error));
    });
    if (signal?.aborted === true) {
      onAbort();
      return;
    }
    signal?.addEventListener("abort", onAbort);
    outgoing.on("response", (incoming) => {
      response = incoming;
      incoming.on("error", () => {});
      incoming.on("close", stop);
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        body: pieces(incoming, listen, () => clearTimeout(timer)),
        discard: () => void incoming.destroy(),
      });
    });
    outgoing.end(body);
  });
}

/** The timeout runs only while a chunk is awaited: a slow reader does not count as a silent server. */
async function* pieces(
  incoming: IncomingMessage,
  listen: () => void,
  rest: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    listen();
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      rest();
      yield chunk;
      listen();
    }
  } catch (error) {
    if (error instanceof SidecarError) throw error;
    throw new SidecarError("broken", `the answer was cut: ${(error as Error).message}`);
  } finally {
    rest();
    incoming.destroy();
  }
}

function faultOf(error: NodeJS.ErrnoException): SidecarError {
  const cut = error.code === "ECONNRESET" || error.code === "EPIPE" || error.code?.startsWith("HPE_") === true;
  return new SidecarError(cut ? "broken" : "unreachable", error.message);
}
