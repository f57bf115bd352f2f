import type { Caller } from "../../http/caller.ts";
import { createPlainWeb } from "../plain/answer-http.ts";
import type { McpPort } from "../port/port.ts";
import { lazyEngine } from "../sdk/lazy-engine.ts";
import { answerHttp, methodNotAllowed } from "./http-route.ts";
import { readWebJson } from "./read-web-json.ts";
import { refuse } from "./refuse.ts";

export interface WebMcpOptions {
  readonly port: McpPort;
  /** `Authorization` comes from the platform, see {@link answerHttp}. */
  readonly onPlatform: boolean;
  /** Maximum bytes of a request body. */
  readonly bodyLimit: number;
}

/** MCP over Streamable HTTP for hosts with `Request` and `Response`. */
export interface WebMcp {
  /** Answers a request that the web door has admitted. Never rejects. */
  answer(request: Request, caller: Caller | undefined): Promise<Response>;
  close(): Promise<void>;
}

/** Creates the MCP endpoint of a service for such a host. */
export function createWebMcp({ port, onPlatform, bodyLimit }: WebMcpOptions): WebMcp {
  const engine = lazyEngine(() => port);
  const answerPlainly = createPlainWeb(port, onPlatform);
  return {
    async answer(request, caller) {
      const { method, headers, signal } = request;
      if (method !== "POST") return methodNotAllowed();
      try {
        const body = await readWebJson(request, bodyLimit);
        const plain = answerPlainly(request, body, caller);
        if (plain !== undefined) return await plain;
        const route = { port, engine: await engine.get(), onPlatform };
        return await answerHttp(route, { method, headers, signal, caller }, body);
      } catch (thrown) {
        return refuse(thrown);
      }
    },
    close: () => engine.close(),
  };
}
