import { isObject } from "../../../contract/validation/json-value.ts";
import type { McpPort, McpSender } from "../port/port.ts";
import { reportEngineError } from "../port/report-engine-error.ts";
import type { McpHttpEngine } from "../sdk/sdk-server.ts";
import { ToolError } from "../../../base/errors.ts";
import { openedOnce } from "../../../base/opened-once.ts";
import { faultCodes } from "../port/fault.ts";
import type { Config } from "../../../service/config/config.ts";
import { toResponse, type Answer } from "../../http/answer.ts";
import type { Exchange } from "../../http/exchange.ts";
import { answerFully, faultAnswer } from "./http-route.ts";

/** Sessions of older clients; their code is loaded with the first session. */
export interface SessionRoute {
  /** True for a request of an older revision that belongs to a session or starts one. */
  takes(exchange: Pick<Exchange, "header">, message: unknown): boolean;
  answer(exchange: Exchange, sender: McpSender, body: unknown): Promise<Answer>;
  announce(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the route. Only clients that can be asked questions get sessions, or every client of an older revision. */
export function createSessionRoute(
  port: () => McpPort,
  { mcpSessions: mode, mcpStreamTime }: Pick<Config, "mcpSessions" | "mcpStreamTime">,
): SessionRoute {
  const engine = openedOnce(async () => {
    const { createSessionEngine } = await import("../sdk/session-engine.ts");
    return createSessionEngine(port, reportEngineError, mcpStreamTime);
  });
  return {
    takes(exchange, message) {
      if (mode === "never") return false;
      if (isObject(message) && message["method"] === "initialize") return mode === "always" || canBeAsked(message);
      return ownId.test(exchange.header("mcp-session-id") ?? "");
    },
    async answer(exchange, sender, body) {
      const sessions = await engine.value();
      const id = exchange.header("mcp-session-id");
      const begins = isObject(body) && body["method"] === "initialize";
      const fetch: McpHttpEngine["fetch"] = async (request, message, from) => {
        if (begins) {
          request.headers.delete("mcp-session-id");
          const response = await sessions.begin(request, message, from);
          if (response !== undefined) return response;
          throw new ToolError("unavailable", "There are too many sessions.", { retryAfter: 10 });
        }
        const response = await sessions.answer(id ?? "", request, message, from);
        // The protocol's request for a new session.
        return (
          response ?? toResponse(faultAnswer(404, faultCodes.refused, "There is no such session; initialize again."))
        );
      };
      return answerFully({ fetch }, exchange, sender, body);
    },
    announce: async () => (await engine.settled())?.announce(),
    close: async () => (await engine.settled())?.close(),
  };
}

/**
 * Matches ids of sessions that this service or another replica has made. Ids in other forms, as gateways make them, are
 * ignored.
 */
const ownId = /^[0-9a-f]{32}$/;

/** True for a client that accepts requests from the server, which it can answer only within a session. */
function canBeAsked({ params }: Readonly<Record<string, unknown>>): boolean {
  const capabilities = isObject(params) ? params["capabilities"] : undefined;
  return isObject(capabilities) && ["elicitation", "sampling", "roots"].some((name) => name in capabilities);
}
