import type { Problem } from "../../../runtime/contract/contract.ts";
import type { ErrorKind } from "../../../runtime/base/errors.ts";
import { problemKinds } from "../../../runtime/base/problem-kinds.ts";
import type { StoredOutcome } from "../../../runtime/executor/store/job-store.ts";

/** A result in the form in which a worker posts it. */
export interface PostedResult {
  readonly isError: boolean;
  readonly contentType: string;
  readonly body: Buffer;
  /**
   * True if the worker sends lease headers, so that it is known to be a tenon worker. Such workers send a fixed text
   * with all errors except user errors.
   */
  readonly knowsLeases: boolean;
}

/** A result in the form in which the platform returns it. */
export interface EndedJob {
  readonly status: "succeeded" | "failed" | "error" | "cancelled";
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

const systemText = "The tool failed.";
// oxfmt-ignore
const usersMistakes: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  "malformed-json", "bad-request", "user-input", "validation", "too-large", "unsupported-media-type",
]);

/** Converts a posted result for the store: bytes unchanged, or an error. */
export function outcomeOf(result: PostedResult): StoredOutcome {
  if (result.isError) return errorOutcome(result);
  const { contentType, body } = result;
  return { state: "succeeded", result: { kind: "binary", contentType, content: body } };
}

/** Makes an error outcome. */
export function failedWith(
  kind: ErrorKind,
  message: string,
  more: { problems?: readonly Problem[]; type?: string } = {},
): StoredOutcome {
  const state = kind === "cancelled" ? "cancelled" : usersMistakes.has(kind) ? "failed" : "error";
  return { state, error: { kind, message, ...more } };
}

/** The public form of an outcome: the bytes of a result, or an error in the form that workers post. */
export function endOf(outcome: StoredOutcome): EndedJob {
  if (outcome.state !== "succeeded") {
    const { kind, message, problems, type = kind } = outcome.error;
    const body = JSON.stringify({
      $schema: "urn:platform:schema.service.error.1",
      error: message,
      type,
      ...(problems !== undefined && { errors: problems }),
    });
    return { status: outcome.state, contentType: "application/json", body };
  }
  const { result } = outcome;
  switch (result.kind) {
    case "binary":
      return { status: "succeeded", contentType: result.contentType, body: result.content };
    case "json":
      return { status: "succeeded", contentType: "application/json", body: result.json };
    case "text":
      return { status: "succeeded", contentType: "text/plain; charset=utf-8", body: result.text };
  }
}

/** True when two outcomes are identical byte by byte. */
export function isSame(one: StoredOutcome, other: StoredOutcome): boolean {
  const [left, right] = [endOf(one), endOf(other)];
  return (
    left.status === right.status &&
    left.contentType === right.contentType &&
    Buffer.from(left.body as string).equals(Buffer.from(right.body as string))
  );
}

function errorOutcome({ body, knowsLeases }: PostedResult): StoredOutcome {
  const text = body.toString();
  const { error, type, errors } = parse(text);
  const message = typeof error === "string" ? error : text.slice(0, 2000) || "The worker gave no reason.";
  const name = typeof type === "string" ? type : "Error";
  const problems = Array.isArray(errors) ? { problems: errors as readonly Problem[] } : {};
  return failedWith(kindOf(name, message, knowsLeases), message, { ...problems, type: name });
}

function kindOf(type: string, message: string, knowsLeases: boolean): ErrorKind {
  if (Object.hasOwn(problemKinds, type)) return type as ErrorKind;
  if (type === "ValidationError") return "validation";
  if (type === "ValueError") return "user-input";
  // A subclass of `ValueError` can have any name. An unknown class from a worker of another program may be any kind of
  // error.
  return knowsLeases && !message.startsWith(systemText) ? "user-input" : "system";
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
