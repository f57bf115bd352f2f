import { cutText } from "./brief.ts";
import { valueErrorMark } from "../contract/process-keys.ts";
import type { Problem } from "../contract/contract.ts";
import type { ErrorKind } from "../contract/error-kind.ts";

export type { ErrorKind };

/**
 * A mistake in the caller's input, thrown by author code. It and its subclasses reach the caller with their message.
 * Any other exception of a tool is a system error, and its message does not reach the caller.
 */
export class ValueError extends Error {
  override readonly name: string = "ValueError";
  /** Recognises the class across two copies of the package, for example one per bundle. */
  readonly [valueErrorMark]: true = true;
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass keeps the ordinary meaning of `instanceof`; only the base class tests the mark.
    if (this !== ValueError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return (
      typeof value === "object" && value !== null && (value as { [valueErrorMark]?: unknown })[valueErrorMark] === true
    );
  }
}

const systemDetail = "The tool failed. The service's log has the reason.";

export interface ToolErrorOptions {
  readonly problems?: readonly Problem[];
  /** Seconds after which the caller may retry. */
  readonly retryAfter?: number;
  /** Value of `WWW-Authenticate`: tells a client how to authenticate. */
  readonly challenge?: string;
  /** For the log; never sent to a caller. */
  readonly cause?: unknown;
}

/** The one error class at run time. `message` is safe to send to a caller; `cause` is not. */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly kind: ErrorKind;
  readonly problems: readonly Problem[] | undefined;
  readonly retryAfter: number | undefined;
  readonly challenge: string | undefined;

  constructor(kind: ErrorKind, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.problems = options.problems;
    this.retryAfter = options.retryAfter;
    this.challenge = options.challenge;
  }

  /**
   * Converts any thrown value into a `ToolError`: a `ValueError` keeps its message, everything else gets a fixed text.
   */
  static from(thrown: unknown): ToolError {
    if (isToolError(thrown)) return thrown;
    if (isValueError(thrown)) return new ToolError("user-input", safeMessage(thrown), { cause: thrown });
    return new ToolError("system", systemDetail, { cause: thrown ?? new Error(`thrown: ${String(thrown)}`) });
  }
}

function isToolError(thrown: unknown): thrown is ToolError {
  try {
    return thrown instanceof ToolError;
  } catch {
    return false;
  }
}

function isValueError(thrown: unknown): thrown is ValueError {
  try {
    return thrown instanceof ValueError;
  } catch {
    // A revoked Proxy throws on every access.
    return false;
  }
}

/** Characters of an author's message that callers get. It may quote what it was given. */
const longestMessage = 4000;

function safeMessage(error: ValueError): string {
  try {
    return cutText(String(error.message), longestMessage);
  } catch {
    return "The input was refused.";
  }
}
