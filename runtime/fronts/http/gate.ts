import type { Answer } from "./answer.ts";
import type { Caller } from "./identity.ts";
import type { Exchange } from "./exchange.ts";

/** The parts of a request that decide about its admission. */
export type Head = Pick<Exchange, "method" | "path" | "address" | "header">;

/** The result of a gate: a request is admitted, with its caller if callers are authenticated, or answered. */
export type Admission =
  | { readonly caller?: Caller | undefined; readonly answer?: undefined }
  | { readonly answer: Answer };

/**
 * Runs before all routes, if configured. Decides at once if possible, and before the body is read. Throws or rejects
 * with the `ToolError` that refuses the request.
 */
export type Gate = (head: Head) => Admission | Promise<Admission>;
