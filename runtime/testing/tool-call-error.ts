import type { Problem } from "../contract/contract.ts";
import { ToolError } from "../base/errors.ts";
import type { ErrorKind } from "../base/errors.ts";
import { problemKinds } from "../fronts/http/problem.ts";
import type { RecordedEvent, RecordedStep, Recording } from "./recording.ts";

/** How a call of a tool failed. `message` is what a caller gets to read; `cause` is what was thrown. */
export class ToolCallError extends Error {
  override readonly name: string = "ToolCallError";
  /** `validation`, `user-input`, `system`, `cancelled`, `timeout` … */
  readonly kind: ErrorKind;
  /** What REST answers. */
  readonly status: number;
  /** Everything that is wrong with the request; empty for other kinds than `validation`. */
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

/** A test that fails must show what is wrong, so the problems stand in the text. */
function textOf({ message, problems = [] }: ToolError): string {
  const lines = problems.map(({ path, message: text }) => `  ${path === "" ? "(request)" : path}: ${text}`);
  return [message, ...lines].join("\n");
}
