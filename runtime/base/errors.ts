import { cutText } from "./brief.ts";
import { valueErrorMark } from "../contract/process-keys.ts";
import type { Problem } from "../contract/contract.ts";
import type { ErrorKind } from "../contract/error-kind.ts";

export type { ErrorKind };

/**
 * Error about the caller's input, thrown by author code. Callers get the message of this class and its subclasses. Any
 * other exception of a tool is a system error, whose message callers do not get.
 */
export class ValueError extends Error {
  override readonly name: string = "ValueError";
  /** Mark by which the class is recognised across several copies of the package, for example one per bundle. */
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
  /** Original error, for the log; never sent to a caller. */
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
    // A revoked Proxy throws on every access, so it is not an error of this class.
    return false;
  }
}

/** Maximum characters of an author's message that callers get. The message may quote a value of any length. */
const longestMessage = 4000;

function safeMessage(error: ValueError): string {
  try {
    return cutText(String(error.message), longestMessage);
  } catch {
    return "The input was refused.";
  }
}
