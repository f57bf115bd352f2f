import type { Problem } from "../../contract/contract.ts";
import { ToolError, type ErrorKind } from "../../base/errors.ts";
import { problemKinds } from "../../base/problem-kinds.ts";
import type { RecordedEvent, RecordedStep, Recording } from "./recording.ts";

/** A failed call of a tool. `message` is the text that a caller gets; `cause` is the original exception. */
export class ToolCallError extends Error {
  override readonly name: string = "ToolCallError";
  /** `validation`, `user-input`, `system`, `cancelled`, `timeout` … */
  readonly kind: ErrorKind;
  /** HTTP status of the REST answer. */
  readonly status: number;
  /** All problems of the request; empty for kinds other than `validation`. */
  readonly problems: readonly Problem[];
  readonly events: readonly RecordedEvent[];
  readonly steps: readonly RecordedStep[];

  constructor(error: ToolError, { events, steps }: Pick<Recording, "events" | "steps">, thrown?: unknown) {
    const cause = error.cause ?? (thrown instanceof ToolError ? undefined : thrown);
    super(textOf(error), cause === undefined ? undefined : { cause });
    this.kind = error.kind;
    this.status = problemKinds[error.kind].status;
    this.problems = error.problems ?? [];
    this.events = events;
    this.steps = steps;
  }
}

/** The error's message contains the problems, so that a failing test shows them. */
export function textOf({ message, problems = [] }: ToolError): string {
  const lines = problems.map(({ path, message: text }) => `  ${path === "" ? "(request)" : path}: ${text}`);
  return [message, ...lines].join("\n");
}
