import type { Problem } from "../../contract/contract.ts";
import { ToolError } from "../../base/errors.ts";
import type { ErrorKind } from "../../base/errors.ts";
import type { Answer } from "./answer.ts";

interface KindText {
  readonly status: number;
  readonly title: string;
}

/** Status and title of every kind of problem. */
export const problemKinds: Readonly<Record<ErrorKind, KindText>> = {
  "malformed-json": { status: 400, title: "The request body is not valid JSON" },
  "bad-request": { status: 400, title: "The request is not valid" },
  "user-input": { status: 400, title: "The tool refused its input" },
  "not-found": { status: 404, title: "Not found" },
  "method-not-allowed": { status: 405, title: "Method not allowed" },
  unauthorized: { status: 401, title: "A valid access token is needed" },
  "insufficient-scope": { status: 403, title: "The access token does not allow this" },
  forbidden: { status: 403, title: "Forbidden" },
  "too-large": { status: 413, title: "The request body is too large" },
  "unsupported-media-type": { status: 415, title: "Unsupported media type" },
  validation: { status: 422, title: "The request does not match its schema" },
  "idempotency-conflict": { status: 422, title: "The id belongs to another request" },
  system: { status: 500, title: "The tool failed" },
  "invalid-result": { status: 500, title: "The result does not match its type" },
  interrupted: { status: 500, title: "The job was interrupted" },
  cancelled: { status: 409, title: "The job was cancelled" },
  "too-many-requests": { status: 429, title: "Too many requests" },
  overloaded: { status: 503, title: "The service is busy" },
  unavailable: { status: 503, title: "Not possible for now" },
  draining: { status: 503, title: "The service is stopping" },
  timeout: { status: 504, title: "The tool took too long" },
};

/** RFC 9457, with additional members. */
export interface ProblemBody {
  readonly $schema: "urn:platform:schema.error.1";
  /** `urn:platform:problem:<kind>` */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly "job-id"?: string;
  readonly errors?: readonly Problem[];
}

/** The RFC 9457 body of an error; `status` overrides the status of its kind. */
export function problemBody(error: ToolError, jobId?: string, status?: number): ProblemBody {
  const { kind, message, problems } = error;
  const text = problemKinds[kind];
  return {
    $schema: "urn:platform:schema.error.1",
    type: `urn:platform:problem:${kind}`,
    title: text.title,
    status: status ?? text.status,
    detail: kind === "system" && jobId !== undefined ? `${message} Job: ${jobId}` : message,
    ...(jobId === undefined ? {} : { "job-id": jobId }),
    ...(problems === undefined ? {} : { errors: problems }),
  };
}

/** Headers for an error, beside its body. Names and values alternate. */
export function refusalHeaders({ retryAfter, challenge }: ToolError): readonly string[] {
  return [
    ...(retryAfter === undefined ? [] : ["Retry-After", String(Math.ceil(retryAfter))]),
    ...(challenge === undefined ? [] : ["WWW-Authenticate", challenge]),
  ];
}

/** The answer for any exception. `headers`: names and values alternate. */
export function problemAnswer(thrown: unknown, jobId?: string, headers: readonly string[] = []): Answer {
  const error = ToolError.from(thrown);
  return {
    status: problemKinds[error.kind].status,
    headers: [
      "Content-Type",
      "application/problem+json",
      ...(jobId === undefined ? [] : ["job-id", jobId]),
      ...refusalHeaders(error),
      ...headers,
    ],
    body: JSON.stringify(problemBody(error, jobId)),
  };
}
