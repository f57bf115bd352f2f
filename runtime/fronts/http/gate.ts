import type { Answer } from "./answer.ts";
import type { Caller } from "./caller.ts";

/** The parts of a request's head that decide about its admission. */
export interface Head {
  readonly method: string;
  /** Raw, without query. */
  readonly path: string;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** Address of the remote end; undefined when the host does not tell it. */
  readonly address: string | undefined;
}

/** Admits a request, with the caller if callers are authenticated, or answers it. */
export type Admission =
  | { readonly caller?: Caller | undefined; readonly answer?: undefined }
  | { readonly answer: Answer };

/**
 * Runs before all routes, if configured. Decides at once if possible, and before the body is read. Throws or rejects
 * with the `ToolError` that refuses the request.
 */
export type Gate = (head: Head) => Admission | Promise<Admission>;
