import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../http/caller.ts";
import type { FrontDoorRoutes, RequestHandler } from "../http/front-door.ts";
import { tenonVersion } from "../../base/version.ts";
import type { Delivery } from "../../clients/platform/delivery/delivery-to-log.ts";
import type { AppOptions } from "./app.ts";
import { writeAnswer } from "../http/answer.ts";
import type { ShortRequest } from "../http/short-request.ts";
import { problemAnswer } from "../http/problem.ts";
import { pathsOf } from "../../service/tools/tool.ts";
import { createPostTool } from "./post-tool.ts";

export interface RestOptions extends Omit<AppOptions, "callerOf"> {
  readonly bodyLimit: number;
  readonly onPlatform: boolean;
  readonly delivery: Delivery;
}

/** The routes of a REST front: `POST` of tools at once, everything else through Hono, which is loaded on demand. */
export function mountRest(options: RestOptions): FrontDoorRoutes {
  let listener: Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>> | undefined;
  const callers = new WeakMap<object, Caller>();
  const fallback: RequestHandler = (request, response, _path, caller) => {
    if (caller !== undefined) callers.set(request, caller);
    listener ??= loadListener({ ...options, callerOf: (incoming) => callers.get(incoming) });
    listener
      .then((listen) => {
        response.setHeader("Platform-Tool-Version", tenonVersion);
        (request as Partial<ShortRequest>).expandHeaders?.();
        // Host has been checked, and no route reads it. The adapter would refuse probes with a missing or odd one.
        request.headers.host = "localhost";
        return listen(request, response);
      })
      .catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else writeAnswer(response, problemAnswer(error));
      });
  };
  const routes = new Map<string, RequestHandler>();
  for (const tool of options.tools) {
    const post = createPostTool(tool, options);
    const { scopes } = tool.definition;
    const handle: RequestHandler = (request, response, path, caller) => {
      if (scopes !== undefined) caller?.require(scopes);
      if (request.method === "POST") post(request, response, path, caller);
      else fallback(request, response, path, caller);
    };
    for (const path of pathsOf(tool)) routes.set(path, handle);
  }
  return { routes, fallback };
}

async function loadListener(
  options: AppOptions,
): Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>> {
  const [{ createApp }, { getRequestListener }] = await Promise.all([import("./app.ts"), import("@hono/node-server")]);
  const app = await createApp(options);
  // Replacing the globals would break `instanceof Response` in author code.
  const listen = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return async (request, response) => {
    await listen(request, response);
  };
}
