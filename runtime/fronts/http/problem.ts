import type { Problem } from "../../contract/contract.ts";
import { ToolError, type ErrorKind } from "../../base/errors.ts";
import { problemKinds } from "../../base/problem-kinds.ts";
import type { Answer } from "./answer.ts";

/** Body of a problem by RFC 9457, with additional members. */
export interface ProblemBody {
  readonly $schema: "urn:platform:schema.error.1";
  /** URN of the kind: `urn:platform:problem:<kind>` */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly "job-id"?: string;
  readonly errors?: readonly Problem[];
}

/** Kinds of refusals: the job was never stored, so nobody can ask for it. */
const withoutJob: ReadonlySet<ErrorKind> = new Set(["too-many-requests", "idempotency-conflict"]);

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
    ...(jobId === undefined || withoutJob.has(kind) ? {} : { "job-id": jobId }),
    ...(problems === undefined ? {} : { errors: problems }),
  };
}

/** Headers of the response for an error. Names and values alternate. */
export function refusalHeaders({ retryAfter, challenge }: ToolError): readonly string[] {
  return [
    ...(retryAfter === undefined ? [] : ["Retry-After", String(Math.ceil(retryAfter))]),
    ...(challenge === undefined ? [] : ["WWW-Authenticate", challenge]),
  ];
}

/** The answer for any exception. `headers`: names and values alternate. */
export function problemAnswer(thrown: unknown, jobId?: string, headers: readonly string[] = []): Answer {
  const error = ToolError.from(thrown);
  const body = problemBody(error, jobId);
  const id = body["job-id"];
  return {
    status: body.status,
    headers: [
      "Content-Type",
      "application/problem+json",
      ...(id === undefined ? [] : ["job-id", id]),
      ...refusalHeaders(error),
      ...headers,
    ],
    body: JSON.stringify(body),
  };
}
