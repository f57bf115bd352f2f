import type { HttpCall } from "../../job/job.ts";
import type { ToolError } from "../../base/errors.ts";
import type { Answer } from "./answer.ts";
import type { Caller } from "./identity.ts";

/**
 * One request over HTTP and its answer, for any kind of server. Uses callbacks, so that a synchronous tool is answered
 * in the turn of its request.
 */
export interface Exchange {
  readonly method: string;
  /** Raw path, without query and without the prefix of the host application. */
  readonly path: string;
  /** The text after the question mark; empty without one. */
  readonly query: string;
  /** The `Host` header, or the authority that replaces it. */
  readonly host: string | undefined;
  /** Scheme of the connection, without a colon. */
  readonly scheme: string;
  /** Address of the peer; undefined if the server does not provide it. */
  readonly address: string | undefined;
  /** The request and its answer in the form that telemetry reads. */
  readonly call: HttpCall;
  /**
   * Returns the value of a header; several values of one name are joined by commas.
   *
   * @param name In lower case.
   */
  header(name: string): string | undefined;
  /**
   * Reads the body up to a limit, counted while it streams. `done` is called once, with the error or the body; never
   * when the caller disconnects before it has sent everything.
   */
  body(limit: number, done: (error: ToolError | undefined, body: Buffer) => void): void;
  /**
   * Calls a listener when the caller disconnects before it has received the whole answer; at once, if the caller has
   * already disconnected.
   */
  onGone(listener: () => void): void;
  /** Adds headers to the answer. @param headers Names and values alternate. */
  addHeaders(headers: readonly string[]): void;
  /** Sends the answer. Does nothing when the caller has disconnected; a second answer closes the connection. */
  answer(answer: Answer): void;
  /** Closes the connection without an answer, or in the middle of one. */
  cut(): void;
}

/** Answers one request. Host, Origin and the caller's token have been checked, and the body has not been read. */
export type Handler = (exchange: Exchange, caller: Caller | undefined) => void;

/** The parts of a request that decide about its admission. */
type Head = Pick<Exchange, "method" | "path" | "address" | "header">;

/**
 * Result of the check that runs before all routes. Either the request is admitted, with its caller if callers are
 * authenticated, or it has an answer.
 */
export type Admission =
  | { readonly caller?: Caller | undefined; readonly answer?: undefined }
  | { readonly answer: Answer };

/**
 * Runs before all routes, if configured. Decides at once if possible, and before the body is read. Throws or rejects
 * with the `ToolError` that refuses the request.
 */
export type Gate = (head: Head) => Admission | Promise<Admission>;
