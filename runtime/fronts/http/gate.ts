import type { Answer } from "./answer.ts";
import type { Caller } from "./caller.ts";

/** The head of a request, as far as it decides whether somebody may come in. */
export interface Head {
  readonly method: string;
  /** Raw, without query. */
  readonly path: string;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** Address of the other end of the connection; undefined where a host tells nothing of it. */
  readonly address: string | undefined;
}

/** Lets a request in, with the caller if callers are authenticated, or answers it. */
export type Admission =
  | { readonly caller?: Caller | undefined; readonly answer?: undefined }
  | { readonly answer: Answer };

/**
 * Stands in front of all routes where somebody asked for it. Decides at once where it can, and before anything of the
 * body is read. Throws or rejects with the `ToolError` that refuses the request.
 */
export type Gate = (head: Head) => Admission | Promise<Admission>;
