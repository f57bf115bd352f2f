import { createClient } from "../../client/create-client.ts";
import type { ServiceClient } from "../../client/service-client.ts";
import { inProcessTransport } from "./in-process-transport.ts";
import type { JobOptions } from "./recorded-job.ts";

/** Options of the jobs of a test client. */
export interface TestClientOptions extends Omit<JobOptions, "signal" | "jobId"> {
  /** Milliseconds for each call and each wait; default: no limit. */
  readonly timeout?: number;
}

/**
 * The client of `tenon/client` for tools of this process, without a server: for code that takes a client.
 *
 * ```ts
 * import * as tools from "../src/tools.ts";
 * const service = createTestClient(tools);
 * expect(await service.isPrime({ number: 997 })).toMatchObject({ isPrime: true });
 * ```
 */
export function createTestClient<Tools extends object>(
  tools: Tools,
  options: TestClientOptions = {},
): ServiceClient<Tools> {
  return createClient<Tools>({ transport: inProcessTransport(tools, options), timeout: options.timeout });
}
