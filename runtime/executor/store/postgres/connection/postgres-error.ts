import { ToolError } from "../../../../base/errors.ts";
import { connectionCodes } from "../../open-when-up.ts";
import { StoreError } from "../../store-error.ts";
import type { Address } from "./address.ts";
import { explain } from "./explanations.ts";

/**
 * Codes of a connection that failed or broke. The last line has the server's own codes: it stops, starts, has no free
 * connection, or is a standby that is not promoted yet.
 */
const brokenConnection: ReadonlySet<string> = new Set([
  ...connectionCodes,
  // A socket that is not there, since the server does not run.
  "ENOENT",
  ..."57P01 57P02 57P03 53300 25006".split(" "),
]);
/** The server's code for a write in a transaction that may only read. */
const readOnly = "25006";
/** Messages of the driver for broken connections without a code. */
const brokenText = /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has)/;

/** Returns the code that the server or the system gave an error; undefined for other errors. */
export function postgresCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** True for an error of the connection: the same statement may succeed on another one. */
export function isConnectionError(error: unknown): boolean {
  const code = postgresCode(error);
  if (code !== undefined) return brokenConnection.has(code) || code.startsWith("08");
  // Node reports a failure at several addresses of one host as one error without a message.
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  return error instanceof Error && brokenText.test(error.message);
}

/** The error of a statement without an answer, with the driver's own message for such. */
export class SilenceError extends Error {
  override readonly name: string = "SilenceError";

  constructor() {
    super("Query read timeout");
  }
}

/** A server that refuses writes by a setting, although it is not a standby. */
export class ReadOnlyPrimary extends Error {
  override readonly name: string = "ReadOnlyPrimary";
  readonly code = readOnly;
}

/** True when the server refuses writes: it is a standby, or a setting makes it read-only. */
export function isReadOnly(error: unknown): boolean {
  return postgresCode(error) === readOnly;
}

/** True when the server has not answered in time: this connection may be half-open, and so may all others. */
export function isSilent(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Query read timeout");
}

/** True when the server has aborted a statement in favour of another one; the aborted statement has had no effect. */
export function isCollision(error: unknown): boolean {
  const code = postgresCode(error);
  return code === "40001" || code === "40P01";
}

/** True when a row of a statement is in its table already; the statement has had no effect. */
export function isDuplicate(error: unknown): boolean {
  return postgresCode(error) === "23505";
}

/** True when a pooler between this process and the server does not keep prepared statements. */
export function losesStatements(error: unknown): boolean {
  const code = postgresCode(error);
  return code === "26000" || code === "42P05";
}

/** True when a pooler between this process and the server refuses settings of a connection. */
export function refusesSettings(error: unknown): boolean {
  return /^(?:08P01|0A000)$/.test(postgresCode(error) ?? "") && /parameter|option/i.test(messageOf(error));
}

/** True when the server is running and refused for a temporary reason: its disk is full, or its own timeout. */
function isBusy(error: unknown): boolean {
  return ["53100", "53200", "55P03", "57014"].includes(postgresCode(error) ?? "");
}

/** True for a temporary error that every other call would get too. */
export function isPassing(error: unknown): boolean {
  return isConnectionError(error) || isBusy(error);
}

/** Explains the problem of a database to the operator of the service, in one line without the password. */
export function explainPostgres(error: unknown, shown: string, schema: string): string {
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  return explain(postgresCode(first) ?? "", messageOf(first), shown, schema);
}

/** Converts an error from opening a store to a `StoreError`, with the driver's error as its cause. */
export function toStoreError(error: unknown, { setting, shown, schema }: Address): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(`${setting}: ${explainPostgres(error, shown, schema)}`, { cause: error });
}

/** Converts an error of an open store for callers; the explanation for the log is its cause. */
export function toToolError(error: unknown, shown: string, schema: string): ToolError {
  if (error instanceof ToolError) return error;
  const cause = new Error(`The job store ${explainPostgres(error, shown, schema)}`, { cause: error });
  if (isPassing(error)) return unavailable(cause);
  return new ToolError("system", "The job store failed. The service's log has the reason.", { cause });
}

/** The error of a call whose job cannot be stored now. */
export function unavailable(cause: Error | string): ToolError {
  return new ToolError("overloaded", "The service cannot keep jobs at the moment. Try again later.", {
    retryAfter: 5,
    cause,
  });
}

/** The error of every call to a store that is closed. */
export function closed(): ToolError {
  return new ToolError("draining", "The service is stopping. Try again in a moment.", { retryAfter: 1 });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
