import type { ToolError } from "../../base/errors.ts";
import type { HttpCall } from "../../job/http-call.ts";
import type { Answer } from "./answer.ts";
import type { Caller } from "./identity.ts";

/**
 * One request over HTTP and its answer, whatever server it came to. By callbacks, so that a synchronous tool is answered
 * in the turn of its request.
 */
export interface Exchange {
  readonly method: string;
  /** Raw, without query and without the prefix of its host. */
  readonly path: string;
  /** Behind the question mark; empty without one. */
  readonly query: string;
  /** The `Host` header, or the authority that counts in its place. */
  readonly host: string | undefined;
  /** Scheme of the connection, without a colon. */
  readonly scheme: string;
  /** Address of the peer; undefined where the server does not tell it. */
  readonly address: string | undefined;
  /** The request and its answer as telemetry reads them. */
  readonly call: HttpCall;
  /** The value of a header, several of one name joined by commas. @param name In lower case. */
  header(name: string): string | undefined;
  /**
   * Reads the body up to a limit, counted while it streams. `done` is called once, with the error or the body; never when
   * the caller leaves before it has sent everything.
   */
  body(limit: number, done: (error: ToolError | undefined, body: Buffer) => void): void;
  /** Calls a listener when the caller leaves before it has the whole answer; at once, if it has left. */
  onGone(listener: () => void): void;
  /** Adds headers to the answer. @param headers Names and values in turn. */
  addHeaders(headers: readonly string[]): void;
  /** Answers. Does nothing when the caller has left; of two answers the second ends the connection. */
  answer(answer: Answer): void;
  /** Closes the connection without an answer, or in the middle of it. */
  cut(): void;
}

/** Answers one request. Host, Origin and the caller's token have been checked, and nothing was read. */
export type Handler = (exchange: Exchange, caller: Caller | undefined) => void;
