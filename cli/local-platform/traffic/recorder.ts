import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { withoutWorker } from "../routes/request-path.ts";
import { createRedactor, isSecretName } from "../../../runtime/telemetry/log/redact.ts";
import type { Exchange } from "../routes/exchange.ts";
import { anyToken } from "../jobs/job-token.ts";

/** The body of a recorded message: exactly one of the three, or none. */
export interface RecordedBody {
  readonly json?: unknown;
  readonly text?: string;
  readonly base64?: string;
}

/** One line of a recording. Each secret is replaced by the same placeholder everywhere. */
export interface RecordedExchange {
  /** RFC 3339. */
  readonly at: string;
  /** Milliseconds until the answer. */
  readonly ms: number;
  readonly request: RecordedBody & {
    readonly method: string;
    /** As received, with its query. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly answer: RecordedBody & { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

export interface Recorder {
  /** Records the exchange after it was answered. */
  watch(exchange: Exchange): void;
  /** Ends the file. Rejects with a `RecordingError` where not all of it could be written. */
  close(): Promise<void>;
}

/** Error about a recording that lacks exchanges; the message is for people. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";

  constructor(file: string, cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : message;
    super(`The recording ${file} is not whole: ${reason}. Record again into another file.`, { cause });
  }
}

const secretHeaders: ReadonlySet<string> = new Set(["cookie", "set-cookie", "proxy-authorization", "x-api-key"]);
/**
 * Matches a value that was replaced already. Such placeholders stay, since equal ones show that the values were equal.
 */
const placeholder = /^(?:Bearer )?\[(?:token|lease) \d+\]$/;
const dullHeaders: ReadonlySet<string> = new Set(["host", "connection", "keep-alive", "user-agent", "content-length"]);

/**
 * Writes every exchange to a file, one JSON object per line, in the order of their answers. After the first failed
 * write, nothing more is written.
 *
 * @param failed Called once, when an exchange could not be written.
 */
export function createRecorder(file: string, failed: (error: RecordingError) => void = () => {}): Recorder {
  const out = createWriteStream(file, { flags: "a", mode: 0o600 });
  let failure: RecordingError | undefined;
  out.on("error", (error) => {
    if (failure === undefined) failed((failure = new RecordingError(file, error)));
  });
  const hide = createRedaction();
  return {
    watch(exchange) {
      const { request, method } = exchange;
      const began = performance.now();
      const at = new Date().toISOString();
      exchange.onSent = ({ status, headers, body }) => {
        const answerHeaders = Object.fromEntries(pairs(headers).map(([name, value]) => [name.toLowerCase(), value]));
        const recorded: RecordedExchange = {
          at,
          ms: Math.round((performance.now() - began) * 100) / 100,
          request: {
            method,
            path: hide.path(withoutWorker(request.url ?? "")),
            headers: hide.headers(exchange.headers()),
            ...bodyOf(exchange.received, exchange.header("content-type"), hide),
          },
          answer: {
            status,
            headers: hide.headers(answerHeaders),
            ...bodyOf(body, answerHeaders["content-type"], hide),
          },
        };
        if (failure === undefined) out.write(`${JSON.stringify(recorded)}\n`);
      };
    },
    async close() {
      out.end();
      await finished(out).catch((error: unknown) => (failure ??= new RecordingError(file, error)));
      if (failure !== undefined) throw failure;
    },
  };
}

interface Redaction {
  /** Redacts the path of a URL: removes the values of query parameters whose names indicate a secret. */
  path(path: string): string;
  /** Redacts a text: removes tokens, and texts that look like a secret. */
  text(text: string): string;
  /** Redacts JSON and returns it parsed. Secrets are also recognised by the names of fields. */
  json(text: string): unknown;
  /** Redacts bytes: removes tokens. */
  bytes(bytes: Buffer): Buffer;
  headers(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string>;
}

function createRedaction(): Redaction {
  const names = new Map<string, string>();
  const redactor = createRedactor([]);
  const nameOf = (kind: string, secret: string): string => {
    const known = names.get(secret) ?? `[${kind} ${names.size + 1}]`;
    names.set(secret, known);
    return known;
  };
  const text = (value: string): string => value.replaceAll(anyToken, (token) => nameOf("token", token));
  const header = (name: string, value: string): string => {
    if (name === "job-lease") return nameOf("lease", value);
    if (name === "authorization") return text(value) === value ? "[redacted]" : text(value);
    return secretHeaders.has(name) || isSecretName(name) ? "[redacted]" : redactor.text(text(value));
  };
  return {
    text: (body) => redactor.text(text(body)),
    json: (body) => parseWithoutSecrets(text(body)),
    bytes(body) {
      const before = body.toString("latin1");
      const after = text(before);
      return after === before ? body : Buffer.from(after, "latin1");
    },
    path: (path) => redactor.text(text(path)),
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          value === undefined || dullHeaders.has(name) ? [] : [[name, header(name, String(value))]],
        ),
      ),
  };
}

function bodyOf(body: Uint8Array | undefined, type = "", hide: Redaction): RecordedBody {
  if (body === undefined || body.length === 0) return {};
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (/^(?:application\/(?:[\w.+-]+\+)?json|application\/vnd\.platform\.)/i.test(type)) {
    try {
      return { json: hide.json(bytes.toString()) };
    } catch {
      return { text: hide.text(bytes.toString()) };
    }
  }
  return /^(?:text\/|application\/x-www-form-urlencoded)/i.test(type)
    ? { text: hide.text(bytes.toString()) }
    : { base64: hide.bytes(bytes).toString("base64") };
}

/** Parses JSON for a recording, without the values of fields whose names indicate a secret. */
export function parseWithoutSecrets(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => {
    if (value === null || typeof value === "boolean" || !isSecretName(name)) return value;
    return typeof value === "string" && placeholder.test(value) ? value : "[redacted]";
  });
}

function pairs(flat: readonly string[]): readonly (readonly [string, string])[] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""] as const] : []));
}
