import type { Problem, ResultKind } from "../../contract/contract.ts";
import type { ErrorKind } from "../../contract/error-kind.ts";
import { requireBounded, CallError, unexpected } from "../call-error.ts";
import type { ToolFacts, WireResult } from "../transport.ts";
import { discard } from "./http.ts";

/** Media types of results. Other kinds are JSON, except binary content, which may have any type. */
const media: { readonly [Kind in ResultKind]?: string } = {
  binary: "",
  bytes: "application/octet-stream",
  text: "text/plain",
};

/**
 * Reads the result in a response. Rejects with the problem that the response reports.
 *
 * @param onPiece Called with each piece that is received
 */
export async function readResult(
  response: Response,
  { kind }: Pick<ToolFacts, "kind">,
  onPiece?: () => void,
): Promise<WireResult> {
  const type = await requireType(response, media[kind] ?? "application/json");
  const blob = await readBlob(response, type, onPiece);
  if (kind === "text") return { kind, text: await blob.text() };
  return kind in media ? { kind: "blob", blob } : { kind: "json", value: jsonOf(await blob.text(), response.url) };
}

/** Resolves to the media type of a response. Rejects unless it begins as expected, and with a reported problem. */
export async function requireType(response: Response, expected = ""): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (response.ok && type.startsWith(expected)) return type;
  throw await readProblem(response);
}

/** Reads the value of a JSON response. Rejects with `unexpected` for any other response. */
export async function readJson(response: Response): Promise<unknown> {
  return jsonOf(await (await readBlob(response)).text(), response.url);
}

/**
 * Parses JSON.
 *
 * @throws CallError `unexpected`, with the source of the text
 */
export function jsonOf(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(`${source} is not JSON.`);
  }
}

async function readBlob({ body, url }: Response, type = "", onPiece?: () => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = body?.getReader();
  try {
    for (let piece; (piece = (await reader?.read())?.value) !== undefined;) {
      onPiece?.();
      requireBounded((size += piece.length), url);
      pieces.push(piece);
    }
    return new Blob(pieces, { type });
  } finally {
    reader?.cancel().catch(() => {});
  }
}

/** Seconds of `Retry-After`, which may be a date; undefined if there is none, or if it is over. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after") ?? "";
  const seconds = /^\d/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return seconds >= 0 ? seconds : undefined;
}

/** The error for a response that has no result. */
export async function readProblem(response: Response, url = response.url): Promise<CallError> {
  const { ok, status, headers } = response;
  // An answer of success that has the wrong type may be endless; it is not read.
  if (ok) await discard(response);
  const text = await (await readBlob(response)).text();
  const facts = {
    status,
    jobId: headers.get("job-id") ?? undefined,
    retryAfter: retryAfterOf(response),
  };
  try {
    const { type, detail, title, errors: problems = [] } = JSON.parse(text) as ProblemDocument;
    const kind = /^urn:platform:problem:([a-z-]+)$/.exec(type)?.[1];
    const message = withProblems(detail ?? title ?? "", problems);
    if (kind) return new CallError(kind as ErrorKind, message, { ...facts, problems });
  } catch {
    // Neither JSON nor a problem.
  }
  const what = headers.get("content-type") ?? "no content type";
  return unexpected(`${url} answered ${status} with ${what}, which is not an answer of a tenon service.`, facts);
}

interface ProblemDocument {
  readonly type: string;
  readonly detail?: string;
  readonly title?: string;
  readonly errors?: readonly Problem[];
}

/**
 * Formats the text for a refused request: the message, then a line for each problem.
 *
 * @throws TypeError for problems that have no texts
 */
export function withProblems(told: string, problems: readonly Problem[]): string {
  return [told, ...problems.map(({ path, message }) => `  ${path.replace(/^$/, "(request)")}: ${message.trim()}`)].join(
    "\n",
  );
}
