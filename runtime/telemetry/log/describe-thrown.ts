import type { JsonValue } from "../../contract/contract.ts";
import { stepCauseKey } from "../../contract/process-keys.ts";
import { cutText } from "../../base/brief.ts";
import { jsonSafe, printable } from "../../base/json-safe.ts";

/** A thrown value as log data. */
export interface ThrownDescription {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  /** Error code of Node and many libraries, for example `ECONNREFUSED`. */
  readonly code?: string | number;
  readonly cause?: ThrownDescription;
  /** The first errors of an `AggregateError`. */
  readonly errors?: readonly ThrownDescription[];
  /** A thrown object that is not an error, as JSON. */
  readonly value?: JsonValue;
}

/** Maximum causes below one another, and errors of an `AggregateError`; a text takes the place of the others. */
const [maxDepth, maxErrors] = [4, 8];
const tooDeep = "further ones, which the log leaves out";
/** Maximum characters of a message and of a stack: an error may quote data that the author's code got. */
const longestMessage = 8000;
const longestStack = 32_000;

/** Describes any thrown value, even one that throws when it is read (a revoked Proxy, a getter). */
export function describeThrown(thrown: unknown, depth = 0): ThrownDescription {
  try {
    if (!(thrown instanceof Error)) return describeValue(thrown);
    const error = thrown as Error & Readonly<Record<PropertyKey, unknown>>;
    const { name, message, stack, cause = error[stepCauseKey], code, errors } = error;
    const several = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
    const inner = (one: unknown): ThrownDescription => describeThrown(depth < maxDepth ? one : tooDeep, depth + 1);
    return {
      type: String(name),
      message: cutText(String(message), longestMessage),
      ...(typeof stack === "string" ? { stack: cutText(stack, longestStack) } : {}),
      ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
      ...(cause === undefined ? {} : { cause: inner(cause) }),
      ...(several.length === 0 ? {} : { errors: firstOf(several).map(inner) }),
    };
  } catch {
    return { type: typeof thrown, message: "[not printable]" };
  }
}

/** The first errors, and a text that counts the others. */
function firstOf(errors: readonly unknown[]): readonly unknown[] {
  const more = errors.length - maxErrors;
  return more > 0 ? [...errors.slice(0, maxErrors), `${more} more, which the log leaves out`] : errors;
}

function describeValue(thrown: unknown): ThrownDescription {
  if (typeof thrown !== "object" || thrown === null)
    return { type: typeof thrown, message: cutText(String(thrown), longestMessage) };
  const message = "message" in thrown && typeof thrown.message === "string" ? thrown.message : printable(thrown);
  return { type: "object", message: cutText(message, longestMessage), value: jsonSafe(thrown) };
}
