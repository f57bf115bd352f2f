import type { IncomingHttpHeaders } from "node:http";

/** An HTTP request that a job answers, and the response to it, in the form of Node's `ServerResponse`. */
export interface HttpCall {
  readonly req: {
    readonly method?: string | undefined;
    /** Path with the query. */
    readonly url?: string | undefined;
    readonly headers: IncomingHttpHeaders;
    /** Version such as `1.1`; unknown if the host does not provide it. */
    readonly httpVersion?: string | undefined;
  };
  /** True before the job ends if the call was answered with "try later". */
  readonly headersSent: boolean;
  readonly statusCode: number;
}
