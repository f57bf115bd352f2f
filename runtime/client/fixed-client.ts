import { httpSender, type HttpOptions } from "./rest/http.ts";
import type { RetryOptions } from "./rest/retry.ts";
import { restTransport } from "./rest/rest-transport.ts";
import { toolClient } from "./tool-client.ts";
import type { ToolFacts } from "./transport.ts";

/** Options of a client over REST. */
export interface ClientOptions extends HttpOptions {
  /** Milliseconds for each call and each wait; default: no limit. */
  readonly timeout?: number | undefined;
  readonly retry?: RetryOptions | undefined;
}

/** Makes a client for a fixed list of tools. The files that `tenon client` generates call it. */
export function fixedClient<Client>(tools: readonly ToolFacts[], options: ClientOptions): Client {
  const send = httpSender(options);
  const clientOf = (tool: ToolFacts): unknown =>
    toolClient(
      restTransport(send, options.retry ?? {}, async () => tool),
      tool.name,
      options,
    );
  return Object.fromEntries(tools.map((tool) => [tool.name, clientOf(tool)])) as Client;
}
