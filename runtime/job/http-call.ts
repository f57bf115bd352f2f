import type { IncomingHttpHeaders } from "node:http";

/** The answer to the HTTP request that a job answers, with the request, as Node's `ServerResponse` has them. */
export interface HttpCall {
  readonly req: {
    readonly method?: string | undefined;
    /** With a query. */
    readonly url?: string | undefined;
    readonly headers: IncomingHttpHeaders;
    /** Such as `1.1`; unknown where the host does not tell. */
    readonly httpVersion?: string | undefined;
  };
  /** True before the job ends where the call is answered "try later". */
  readonly headersSent: boolean;
  readonly statusCode: number;
}
