import { httpSender } from "./rest/http.ts";
import type { ClientOptions } from "./fixed-client.ts";
import { isHidden } from "./hidden-names.ts";
import { restTransport } from "./rest/rest-transport.ts";
import { toolClient, type ToolClient } from "./tool-client.ts";
import { toolFinder } from "./tool-finder.ts";
import type { ServiceClient } from "./service-client.ts";
import type { Definition } from "./tool-facts.ts";
import type { Transport } from "./transport.ts";

/** A service by its address, over REST. */
export interface ServiceAddress extends ClientOptions {
  /**
   * The definition of the service, for example an import of its `service.json`; default: the client requests it from
   * the service.
   */
  readonly definition?: Definition | undefined;
}

/** A service that is reached by a transport other than REST. */
export interface ServiceTransport extends Pick<ClientOptions, "timeout"> {
  readonly transport: Transport;
}

/**
 * Makes a client of a service whose tools are functions of this repository:
 *
 * ```ts
 * import type * as tools from "../service/src/tools.ts";
 * const service = createClient<typeof tools>({ url: "http://127.0.0.1:8090" });
 * const { isPrime } = await service.isPrime({ number: 997 });
 * ```
 *
 * `Names` has the parameter names of tools with positional parameters, and `Messages` the types of the messages that
 * `send` of a job takes; `tenon client --names` generates both. No connection is opened before the first call, which
 * loads the service definition: it contains the paths of the tools and the classes of their results.
 */
export function createClient<Tools extends object, Names extends object = object, Messages extends object = object>(
  options: ServiceAddress | ServiceTransport,
): ServiceClient<Tools, Names, Messages> {
  const transport = "transport" in options ? options.transport : restOf(options);
  const tools = new Map<string, ToolClient<unknown, unknown>>();
  // A proxy accepts any name, since the client knows the names of the tools only as types.
  return new Proxy(Object.freeze({}), {
    get(_, name) {
      if (typeof name === "symbol" || isHidden(name)) return undefined;
      const known = tools.get(name);
      if (known) return known;
      const tool = toolClient(transport, name, options);
      tools.set(name, tool);
      return tool;
    },
  }) as ServiceClient<Tools, Names, Messages>;
}

function restOf(options: ServiceAddress): Transport {
  const send = httpSender(options);
  const retry = options.retry ?? {};
  return restTransport(send, retry, toolFinder(send, retry, options.definition));
}
