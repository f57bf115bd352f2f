import type { Answer } from "../../http/answer.ts";
import type { Caller } from "../../http/identity.ts";
import { cardPaths } from "../../http/card-paths.ts";
import type { Exchange, Handler } from "../../http/exchange.ts";
import { parseJsonBody } from "../../http/parse-json.ts";
import { problemAnswer } from "../../http/problem.ts";
import { checkJsonHeaders } from "../../http/read-body.ts";
import type { Config } from "../../../service/config/config.ts";
import { lazyEngine } from "../sdk/lazy-engine.ts";
import { createPlainHttp, type AnswerPlainly } from "../plain/answer-http.ts";
import { modernRevision } from "../plain/read-request.ts";
import type { McpPort } from "../port/port.ts";
import { servicePort } from "../service-port.ts";
import type { ServicePortOptions } from "../service-port.ts";
import { answerFully, methodNotAllowed, refuse } from "./http-route.ts";
import { createSessionRoute } from "./session-route.ts";

/** Options of an MCP front. */
export interface McpMountOptions extends Omit<
  ServicePortOptions,
  "transport" | "stateKey" | "jobTools" | "toolSearch" | "hasCallers"
> {
  readonly config: Config;
  /** Maximum bytes of a request body. */
  readonly bodyLimit: number;
  /** Path of the endpoint; default `/mcp`. */
  readonly mcpPath?: string | undefined;
  /** Path under which a host serves all routes; default none. */
  readonly base?: string | undefined;
}

/** An MCP front behind a door. */
export interface McpMount {
  /** The endpoint, and documents about it, by path. */
  readonly routes: ReadonlyMap<string, Handler>;
  /** The answer to a request that was refused: of the endpoint, or of another path of the service. */
  readonly refuse: (thrown: unknown, path: string) => Answer;
  /** Replaces the tools, and notifies subscribed clients; running calls end with the old tools. */
  replace(options: McpMountOptions): void;
  close(): Promise<void>;
}

export interface McpHttpParts {
  /** The front of an earlier build, which gets these tools and keeps its clients. */
  readonly mounted?: McpMount | undefined;
  /** False: the full engine answers all requests; for tests. */
  readonly plain?: false;
}

/** MCP over Streamable HTTP behind the front door. */
export function mountMcp(options: McpMountOptions, { plain, mounted }: McpHttpParts = {}): McpMount {
  if (mounted !== undefined) {
    mounted.replace(options);
    return mounted;
  }
  const { mcpPath = "/mcp" } = options;
  const onPlatform = options.config.platformBaseUrl !== undefined;
  const open = (next: McpMountOptions): { readonly port: McpPort; readonly answerPlainly: AnswerPlainly } => {
    const { stateKey, jobTools, toolSearch, auth } = next.config;
    const port = servicePort({ ...next, stateKey, jobTools, toolSearch, hasCallers: auth !== undefined });
    return { port, answerPlainly: plain === false ? () => false : createPlainHttp(port, onPlatform) };
  };
  let current = open(options);
  const engine = lazyEngine(() => current.port);
  const sessions = createSessionRoute(() => current.port, options.config);
  const later = (exchange: Exchange, answer: Promise<Answer>): void =>
    void answer.then(
      (answered) => exchange.answer(answered),
      (thrown: unknown) => exchange.answer(refuse(thrown)),
    );
  const answer = async (exchange: Exchange, caller: Caller | undefined, message: unknown): Promise<Answer> => {
    const { port } = current;
    return answerFully({ port, engine: await engine.get(), onPlatform }, exchange, caller, message);
  };
  const answerInSession = (exchange: Exchange, caller: Caller | undefined, message?: unknown): void =>
    later(exchange, sessions.answer({ port: current.port, onPlatform }, exchange, caller, message));
  const handle: Handler = (exchange, caller) => {
    const { method } = exchange;
    if (method !== "POST") {
      // Outside of a session there is no stream to open or end.
      const isOfSession = (method === "GET" || method === "DELETE") && sessions.takes(exchange, undefined);
      if (isOfSession) answerInSession(exchange, caller);
      else exchange.answer(methodNotAllowed());
      return;
    }
    checkJsonHeaders(exchange);
    exchange.body(options.bodyLimit, (tooLarge, body) => {
      try {
        if (tooLarge !== undefined) throw tooLarge;
        const message = parseJsonBody(body);
        const isModern = exchange.header("mcp-protocol-version") === modernRevision;
        if (!isModern && sessions.takes(exchange, message)) answerInSession(exchange, caller, message);
        else if (!current.answerPlainly(exchange, message, caller)) later(exchange, answer(exchange, caller, message));
      } catch (thrown) {
        exchange.answer(refuse(thrown));
      }
    });
  };
  const { cards, catalog } = cardPaths(mcpPath);
  const document = documentOf(options, mcpPath);
  return {
    routes: new Map([[mcpPath, handle], ...[...cards, catalog].map((path) => [path, document] as const)]),
    refuse: (thrown, path) => (path === mcpPath ? refuse(thrown) : problemAnswer(thrown)),
    replace(next) {
      current = open(next);
      void engine.announce();
      void sessions.announce();
    },
    close: async () => void (await Promise.all([engine.close(), sessions.close()])),
  };
}

/** Few clients ask for it, so its code is loaded then. */
function documentOf({ service, version, config: { auth }, base }: McpMountOptions, mcpPath: string): Handler {
  const options = { service, version, resource: auth?.resource, mcpPath, base };
  return (exchange) =>
    void import("./server-card.ts").then(({ answerCard }) => exchange.answer(answerCard(options, exchange)));
}
