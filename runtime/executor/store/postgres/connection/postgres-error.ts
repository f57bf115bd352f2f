import { ToolError } from "../../../../base/errors.ts";
import { connectionCodes } from "../../open-when-up.ts";
import { StoreError } from "../../store-error.ts";
import type { Address } from "./address.ts";

/**
 * Codes of a connection that failed or broke. The last line has the server's own codes: it stops, starts, has no free
 * connection, or is a standby that is not promoted yet.
 */
const brokenConnection: ReadonlySet<string> = new Set([
  ...connectionCodes,
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

/** Explains that somebody has changed the tables. */
export function notOurs(shown: string, schema: string, why: string): string {
  return `${shown} has a schema ${schema} that is not as tenon made it (${why}). Restore it, or name another schema.`;
}

/** Explains the problem of a database to the operator of the service, in one line without the password. */
export function explainPostgres(error: unknown, shown: string, schema: string): string {
  const code = postgresCode(error) ?? (error instanceof AggregateError ? postgresCode(error.errors[0]) : undefined);
  switch (code) {
    case "28P01":
    case "28000":
      return `${shown} refuses the user or its password. Check both, and the server's pg_hba.conf.`;
    case "3D000":
      return `${shown} is not a database of this server. Create it, or name another one.`;
    case "ECONNREFUSED":
      return `${shown} cannot be reached: nothing listens there. Start the server, or check host and port.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${shown} cannot be reached: its host name is not known here. Check the name.`;
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ETIMEDOUT":
      return `${shown} cannot be reached: the network gives no answer. Check host, port and firewall.`;
    case "42501":
      return `${shown} does not let this user create or use the schema ${schema}. Grant it, or let an administrator run the output of "tenon store migrate --print".`;
    case "42P01":
    case "42703":
    case "3F000":
      return notOurs(shown, schema, messageOf(error));
    case "53100":
      return `${shown} has no room left on its disk. Free some; jobs go on then by themselves.`;
    case "53300":
      return `${shown} has no free connection: a replica needs four. Raise max_connections, or put a pooler in front.`;
    case "55P03":
    case "57014":
      return `${shown} ended a statement after its statement_timeout or lock_timeout. Raise it for this user, or look for what keeps the server busy.`;
    case readOnly:
      return error instanceof ReadOnlyPrimary
        ? `${shown} is the primary server, but read-only by its setting default_transaction_read_only. Turn it off where it is set: ALTER DATABASE or ALTER ROLE … RESET default_transaction_read_only, the server's configuration, or options= of the address. Some providers set it while a disk is full.`
        : `${shown} is a read-only standby. Give the address of the primary server.`;
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "ERR_TLS_CERT_ALTNAME_INVALID":
    case "CERT_HAS_EXPIRED":
      return `${shown} has a certificate that is not trusted here (${messageOf(error)}). Name its authority with sslrootcert=FILE, and the host as it stands in the certificate.`;
    default:
      return explainText(messageOf(error), shown);
  }
}

/** Explains an error that the driver itself raises, without a code. */
function explainText(text: string, shown: string): string {
  if (/timeout/.test(text))
    return `${shown} cannot be reached: it gives no answer. Check host, port and firewall, and that a PostgreSQL server listens there.`;
  if (text === "Connection terminated unexpectedly")
    return `${shown} ended the connection. Check that a PostgreSQL server listens there, and its log.`;
  if (text === "The server does not support SSL connections")
    return `${shown} offers no TLS. Turn it on at the server (ssl = on), or write sslmode=prefer to do without it.`;
  return `${shown} cannot be used: ${text}.`;
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
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0]?.replace(/\.$/, "") ?? "";
}
