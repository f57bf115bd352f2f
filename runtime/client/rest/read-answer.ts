import type { Problem } from "../../contract/contract.ts";
import type { ErrorKind } from "../../contract/error-kind.ts";
import { requireBounded, CallError, unexpected } from "../call-error.ts";
import type { ToolFacts, WireResult } from "../transport.ts";

const problemUrn = "urn:platform:problem:";

/**
 * Reads the result in a response. Rejects with the problem that the response reports.
 *
 * @param tool Binary content may have any type, also JSON or plain text
 * @param onPiece Called with each piece that is received
 */
export async function readResult(
  response: Response,
  { kind }: Pick<ToolFacts, "kind">,
  onPiece?: () => void,
): Promise<WireResult> {
  if (!response.ok) throw await readProblem(response);
  const type = response.headers.get("content-type") ?? "";
  const isOf = (media: string): boolean => kind !== "binary" && type.startsWith(media);
  const blob = await readBlob(response, type, onPiece);
  if (isOf("application/json")) return { kind: "json", value: jsonOf(await blob.text(), response.url) };
  return isOf("text/plain") ? { kind: "text", text: await blob.text() } : { kind: "blob", blob };
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

/** Seconds of `Retry-After`; undefined if there is none, or if it is a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? NaN);
  return seconds >= 0 ? seconds : undefined;
}

/** The error for a response that has no result. */
export async function readProblem(response: Response): Promise<CallError> {
  const { status, headers, url } = response;
  const text = await (await readBlob(response)).text();
  const facts = {
    status,
    jobId: headers.get("job-id") ?? undefined,
    retryAfter: retryAfterOf(response),
  };
  const body = parsed(text);
  const type = String(body["type"]);
  if (!type.startsWith(problemUrn)) {
    const what = headers.get("content-type") ?? "no content type";
    const message = `${url} answered ${status} with ${what}, which is not an answer of a tenon service.`;
    return unexpected(message, facts);
  }
  const problems = Array.isArray(body["errors"]) ? (body["errors"] as readonly Problem[]) : [];
  const message = withProblems(String(body["detail"] ?? body["title"] ?? status), problems);
  return new CallError(type.slice(problemUrn.length) as ErrorKind, message, { ...facts, problems });
}

/** Formats the text for a refused request: the message, then a line for each problem. */
export function withProblems(told: string, problems: readonly Problem[]): string {
  return [told, ...problems.map(({ path, message }) => `  ${path === "" ? "(request)" : path}: ${message}`)].join("\n");
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
