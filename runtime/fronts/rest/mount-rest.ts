import type { RouteTable } from "../http/middleware/middleware.ts";
import type { Handler } from "../http/exchange.ts";
import { failureAnswer } from "../http/failure-answer.ts";
import { openedOnce } from "../../base/opened-once.ts";
import type { Delivery } from "../../outside/platform/delivery/delivery-to-log.ts";
import { pathsOf } from "../../service/tools/tool.ts";
import { createPostTool } from "./post-tool.ts";
import type { RoutesOptions } from "./routes.ts";

export interface RestOptions extends RoutesOptions {
  readonly bodyLimit: number;
  readonly onPlatform: boolean;
  readonly delivery: Delivery;
}

/**
 * Makes the routes of a REST service: `POST` of tools is handled directly, everything else by code that is loaded on
 * demand.
 */
export function mountRest(options: RestOptions): Pick<RouteTable, "routes" | "fallback"> {
  const others = openedOnce(async () => (await import("./routes.ts")).createRoutes(options));
  const fallback: Handler = (exchange, caller) =>
    void others
      .value()
      .then((routes) => routes.answer(exchange, caller))
      .then((answer) => exchange.answer(answer))
      .catch((error: unknown) => exchange.answer(failureAnswer(error)));
  const routes = new Map<string, Handler>();
  for (const tool of options.tools) {
    const handle = createPostTool(tool, options, fallback);
    for (const path of pathsOf(tool)) routes.set(path, handle);
  }
  return { routes, fallback };
}
