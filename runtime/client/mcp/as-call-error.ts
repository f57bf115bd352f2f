import { CallError, unexpected } from "../call-error.ts";

/** Errors of the official client: of the protocol with a number, of its own with a word. */
interface OfficialError extends Error {
  readonly code?: unknown;
  readonly data?: unknown;
}

/** Converts an error of the protocol or of the connection; other errors stay as they are. */
export function asCallError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const errors = [...withCauses(error)];
  const known = errors.flatMap((one) => [one, one.data]).find((one) => one instanceof CallError);
  if (known !== undefined) return known;
  const { code } = error as OfficialError;
  const message = summaryOf(error);
  if (code === -32_602 && !complaint.test(message)) return new CallError("bad-request", message, { cause: error });
  if (errors.some(isAnswer)) return unexpected(message, { status: statusOf(error), cause: error });
  return new CallError("unreachable", message, { cause: error });
}

function* withCauses(error: unknown): Generator<OfficialError> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}

/** Complaints of the official client about a result, which have the code of an invalid request. */
const complaint =
  /^(?:Structured content does not match|Failed to validate structured content|Tool '.*' has an invalid)/;

/** Codes of the official client for answers that it cannot use. */
const noMcp: ReadonlySet<unknown> = new Set([
  "INVALID_RESULT",
  "UNSUPPORTED_RESULT_TYPE",
  "CLIENT_HTTP_UNEXPECTED_CONTENT",
]);

/** True if the server answered: by an error of the protocol, another status, or with something other than MCP. */
function isAnswer(error: OfficialError): boolean {
  const { code, name } = error;
  return (
    (typeof code === "number" && code < 0) ||
    noMcp.has(code) ||
    /^SyntaxError$|ZodError$/.test(name) ||
    statusOf(error) !== undefined
  );
}

function statusOf({ data }: OfficialError): number | undefined {
  const { status } = Object(data) as { readonly status?: unknown };
  return typeof status === "number" ? status : undefined;
}

/** The first line of a message, without the list of a validator behind it. */
function summaryOf({ message }: Error): string {
  const [line = ""] = message.split("\n");
  const text = line.replace(/:? ?[[{]$/, "").slice(0, 500);
  return text === "" ? "The answer is not MCP." : text;
}
