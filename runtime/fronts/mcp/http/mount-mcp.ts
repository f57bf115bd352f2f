import type { Answer } from "../../http/answer.ts";
import { cardPaths } from "../../http/card-paths.ts";
import type { Handler } from "../../http/exchange.ts";
import { failureAnswer } from "../../http/failure-answer.ts";
import type { Config } from "../../../service/config/config.ts";
import { lazyEngine } from "../sdk/lazy-engine.ts";
import { createPlainEngine } from "../plain/engine.ts";
import { servicePort, type ServicePortOptions } from "../service-port.ts";
import { refuse } from "./http-route.ts";
import { createMcpHandler, type PlainSide } from "./mcp-handler.ts";
import { createSessionRoute } from "./session-route.ts";

/** Options for serving MCP over HTTP. */
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

/** MCP over HTTP, behind the middleware. */
export interface McpMount {
  /** The endpoint, and documents about it, by path. */
  readonly routes: ReadonlyMap<string, Handler>;
  /** The answer to a refused request, in the format of the endpoint or of another path of the service. */
  readonly refuse: (thrown: unknown, path: string) => Answer;
  /** Replaces the tools, and notifies subscribed clients; running calls end with the old tools. */
  replace(options: McpMountOptions): void;
  close(): Promise<void>;
}

export interface McpHttpParts {
  /** The MCP endpoint of an earlier build. It gets the new tools, and its clients stay connected. */
  readonly mounted?: McpMount | undefined;
  /** False: the MCP SDK answers all requests; for tests. */
  readonly plain?: false;
}

/** Mounts MCP over Streamable HTTP, behind the middleware. */
export function mountMcp(options: McpMountOptions, { plain, mounted }: McpHttpParts = {}): McpMount {
  if (mounted !== undefined) {
    mounted.replace(options);
    return mounted;
  }
  const { mcpPath = "/mcp" } = options;
  const onPlatform = options.config.platformBaseUrl !== undefined;
  // Answers to questions of an earlier build are still accepted.
  const lasting = options.mayChange === true ? newKey() : undefined;
  const open = (next: McpMountOptions): PlainSide => {
    const { stateKey = lasting, jobTools, toolSearch, auth } = next.config;
    const port = servicePort({ ...next, stateKey, jobTools, toolSearch, hasCallers: auth !== undefined });
    return { port, plain: plain === false ? undefined : createPlainEngine(port) };
  };
  let current = open(options);
  const engine = lazyEngine(() => current.port);
  const sessions = createSessionRoute(() => current.port, options.config);
  const { bodyLimit } = options;
  const handle = createMcpHandler({ side: () => current, engine, sessions, onPlatform, bodyLimit });
  const { cards, catalog } = cardPaths(mcpPath);
  const document = documentOf(options, mcpPath);
  return {
    routes: new Map([[mcpPath, handle], ...[...cards, catalog].map((path) => [path, document] as const)]),
    refuse: (thrown, path) => (path === mcpPath ? refuse(thrown) : failureAnswer(thrown)),
    replace(next) {
      current = open(next);
      void engine.announce();
      void sessions.announce();
    },
    async close() {
      // The SDK's answers to calls that have just ended take a few promises more, and closing would cut them.
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([engine.close(), sessions.close()]);
    },
  };
}

function newKey(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(32).toString("hex");
}

/** Few clients request the card, so its code is loaded on demand. */
function documentOf({ service, version, config: { auth }, base }: McpMountOptions, mcpPath: string): Handler {
  const options = { service, version, resource: auth?.resource, mcpPath, base };
  return (exchange) =>
    void import("./server-card.ts").then(({ answerCard }) => exchange.answer(answerCard(options, exchange)));
}
