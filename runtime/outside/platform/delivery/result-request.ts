import { ToolError } from "../../../base/errors.ts";
import { collectResult } from "../../../job/result-stream.ts";
import type { JobOutcome, JobResult, JobUrn } from "../../../job/job.ts";
import { ownHeaders, type CallOwner } from "../sidecar/call-owner.ts";

/** The outcome of a job as a request that can be sent repeatedly. */
export interface ResultRequest {
  /** The sidecar's id of the job. */
  readonly id: string;
  /** The job's token and attempt. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isError: boolean;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Packs the outcome of a job. Never throws: an unreadable result becomes an error result. */
export async function packResult(id: JobUrn, owner: CallOwner, outcome: JobOutcome): Promise<ResultRequest> {
  const address = { id: owner.attempt?.id ?? id, headers: ownHeaders(owner) };
  if (outcome.state !== "succeeded") return { ...address, ...packError(outcome.error, id) };
  try {
    return { ...address, isError: false, ...contentOf(await collectResult(outcome.result)) };
  } catch (thrown) {
    return { ...address, ...packError(ToolError.from(thrown), id) };
  }
}

/** Replaces a result that is too large for the sidecar: the job ends with an error that says so. */
export function tooLargeRequest(request: ResultRequest): ResultRequest {
  const message = `The sidecar refused the result: ${request.body.byteLength} bytes are too many. Store a large result as an artifact.`;
  return { ...request, ...packError(new ToolError("invalid-result", message), undefined) };
}

function contentOf(result: JobResult): { readonly contentType: string; readonly body: Uint8Array } {
  switch (result.kind) {
    case "json":
      return { contentType: "application/json", body: Buffer.from(result.json) };
    case "text":
      return { contentType: "text/plain; charset=utf-8", body: Buffer.from(result.text) };
    case "binary": {
      const { contentType, content } = result;
      if (content instanceof ReadableStream) throw new TypeError("A stream must be collected first.");
      return { contentType, body: typeof content === "string" ? Buffer.from(content) : content };
    }
  }
}

function packError(error: ToolError, id: JobUrn | undefined): Pick<ResultRequest, "isError" | "contentType" | "body"> {
  const text = error.kind === "system" && id !== undefined ? `${error.message} Job: ${id}` : error.message;
  const body = {
    $schema: "urn:platform:schema.service.error.1",
    error: text,
    type: typeOf(error),
    ...(error.problems === undefined ? {} : { errors: error.problems }),
  };
  return { isError: true, contentType: "application/json", body: Buffer.from(JSON.stringify(body)) };
}

/**
 * Returns the class of the author's error, else tenon's kind of error. Text and stack of an inner error are not sent.
 */
function typeOf({ kind, cause }: ToolError): string {
  if (kind === "validation") return "ValidationError";
  if (kind !== "user-input" && kind !== "system") return kind;
  try {
    if (cause instanceof Error && /^[\w$.-]{1,100}$/.test(cause.name)) return cause.name;
  } catch {
    // A revoked Proxy throws on every access, so the kind of error is used.
  }
  return kind === "system" ? "Error" : "ValueError";
}
