import { AsyncLocalStorage } from "node:async_hooks";
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ByteGatherer } from "../../../base/byte-gatherer.ts";

const defaultLimit = 64 * 1024;
/** Number of idle connections that are kept. */
const maxIdle = 64;

export interface SidecarRequest {
  readonly method: "GET" | "POST";
  /** Path below the base URL: begins with a slash, encoded; see {@link sidecarPath}. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Timeout of the whole call in milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /** Maximum bytes of the answer; default 64 KiB. */
  readonly limit?: number;
}

/** A whole answer of any status. Redirects are never followed. */
export interface SidecarAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * `unreachable`: no connection. `silent`: no complete answer in time. `broken`: the answer was truncated or was not
 * HTTP. `too-large`: above the limit. `aborted`: by the signal.
 */
export type SidecarFault = "unreachable" | "silent" | "broken" | "too-large" | "aborted";

/** The reason why there was no answer. */
export class SidecarError extends Error {
  override readonly name: string = "SidecarError";
  readonly fault: SidecarFault;

  constructor(fault: SidecarFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** The HTTP client for the sidecar. It adds nothing to a request: no job's context reaches it. */
export interface SidecarClient {
  /** Rejects with a {@link SidecarError} when there is no whole answer. */
  send(request: SidecarRequest): Promise<SidecarAnswer>;
  /** Closes idle connections. */
  close(): void;
}

/** Creates a client for the sidecar at a base URL without a slash at its end. */
export function createSidecarClient(baseUrl: string): SidecarClient {
  const base = new URL(baseUrl);
  // Calls run outside of the job's context, since the outbound hooks would otherwise add that job's token.
  const outside = AsyncLocalStorage.snapshot();
  const secure = base.protocol === "https:";
  const http = secure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  const agent: Agent = new http.Agent({ keepAlive: true, maxFreeSockets: maxIdle, scheduling: "lifo" });
  const target = {
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: base.port === "" ? (secure ? 443 : 80) : Number(base.port),
    agent,
  };
  const prefix = base.pathname.replace(/\/+$/, "");
  const open = ({ method, path, headers = {}, body }: SidecarRequest): ClientRequest => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    return http.request({ ...target, method, path: prefix + path, headers: { ...headers, ...length } });
  };
  return {
    send: (request) => outside(exchange, () => open(request), request, true),
    close: () => agent.destroy(),
  };
}

/** Encodes the path of a call, with an id that may hold any character. */
export function sidecarPath(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment.toWellFormed())}`).join("");
}

function exchange(open: () => ClientRequest, request: SidecarRequest, mayRetry: boolean): Promise<SidecarAnswer> {
  return new Promise((resolve, reject) => {
    const { body, timeout, signal, limit = defaultLimit } = request;
    const outgoing = open();
    let answered = false;
    const settle = (): boolean => {
      if (answered) return false;
      answered = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      return true;
    };
    const fail = (fault: SidecarFault, message: string): void => {
      if (!settle()) return;
      outgoing.destroy();
      reject(new SidecarError(fault, message));
    };
    const onAbort = (): void => fail("aborted", "the call was given up");
    const timer = setTimeout(() => fail("silent", `no answer within ${timeout} ms`), timeout);
    if (signal?.aborted === true) {
      onAbort();
      outgoing.on("error", () => {});
      return;
    }
    signal?.addEventListener("abort", onAbort);
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // Retried, since the server may close an idle connection at the moment when it is used again. Every call is safe
      // to retry.
      if (mayRetry && outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")) {
        if (settle()) exchange(open, request, false).then(resolve, reject);
      } else fail(faultOf(error), sentenceOf(error));
    });
    outgoing.on("response", (response) => {
      readAnswer(response, limit, (answer) => settle() && resolve(answer), fail);
    });
    outgoing.end(body);
  });
}

function readAnswer(
  response: IncomingMessage,
  limit: number,
  done: (answer: SidecarAnswer) => void,
  fail: (fault: SidecarFault, message: string) => void,
): void {
  const bytes = new ByteGatherer(Number(response.headers["content-length"] ?? 0));
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) fail("too-large", `the answer has more than ${limit} bytes`);
    else bytes.add(chunk);
  });
  response.on("end", () => {
    done({ status: response.statusCode ?? 0, headers: response.headers, body: bytes.whole() });
  });
  response.on("error", () => fail("broken", "the connection was closed within the answer"));
}

// oxfmt-ignore
const noConnection: ReadonlySet<string> = new Set([
  "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "ETIMEDOUT", "ENOENT",
]);

/** Node says `socket hang up` or `read ECONNRESET` of a connection that the other side has closed. */
function sentenceOf({ code, message }: NodeJS.ErrnoException): string {
  return code === "ECONNRESET" || code === "EPIPE" ? "the connection was closed without an answer" : message;
}

function faultOf({ code }: NodeJS.ErrnoException): SidecarFault {
  return code !== undefined && noConnection.has(code) ? "unreachable" : "broken";
}
