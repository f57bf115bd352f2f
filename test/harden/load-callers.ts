import { request, type Agent, type IncomingHttpHeaders } from "node:http";
import type { Chance } from "../chaos/chance.ts";
import { callText } from "./canary.ts";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends one request of a caller; throws where there is no answer. */
export type Send = (
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
  body?: string,
  pace?: number,
) => Promise<Answer>;

/** Milliseconds in which an answer must be there, on a busy machine as well. */
const patience = 120_000;

/** Sends requests to a port, and says each status to `onStatus`; `pace` in bytes a second slows the reading down. */
export function sender(port: number, agent: Agent, onStatus: (status: number, what: string) => void): Send {
  return (method, path, headers = {}, body = "", pace = Infinity) =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: "127.0.0.1", method, path, headers, agent, timeout: patience }, (answer) => {
        const { statusCode: status = 0 } = answer;
        onStatus(status, `${method} ${path}`);
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          if (text.length < 100_000) text += chunk;
          if (pace === Infinity) return;
          answer.pause();
          setTimeout(() => answer.resume(), (chunk.length / pace) * 1000);
        });
        answer.once("end", () => resolve({ status, headers: answer.headers, body: text }));
        answer.once("error", reject);
      });
      sent.once("timeout", () => sent.destroy(new Error(`no answer to ${method} ${path}`)));
      sent.once("error", (error) =>
        reject(
          new Error(
            `${method} ${path}, ${body.length} letters${sent.reusedSocket ? " on a used connection" : ""}: ${error.message}`,
          ),
        ),
      );
      sent.end(body);
    });
}

/** One kind of caller. */
export interface LoadCaller {
  /** Number of them in a second. */
  readonly rate: number;
  call(send: Send, chance: Chance): Promise<unknown>;
}

const json = { "content-type": "application/json" };
const mcp = { ...json, accept: "application/json, text/event-stream" };
const newId = (chance: Chance): string => `load-${chance.below(2 ** 30)}-${chance.below(2 ** 30)}`;
const words = (chance: Chance, most: number): string => "word ".repeat(1 + chance.below(most / 5));

/** A session of a client of an older revision, up to the request that it begins with. */
async function beginSession(send: Send, chance: Chance): Promise<Readonly<Record<string, string>>> {
  const name = chance.happens(0.1) ? "n".repeat(20_000) : "client";
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {}, roots: { listChanged: true } },
    clientInfo: { name, version: "1" },
  };
  const { headers } = await send(
    "POST",
    "/mcp",
    mcp,
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  );
  const session = headers["mcp-session-id"];
  return {
    ...mcp,
    "mcp-protocol-version": "2025-11-25",
    ...(session !== undefined && { "mcp-session-id": `${session}` }),
  };
}

async function useSession(send: Send, chance: Chance): Promise<Readonly<Record<string, string>>> {
  const headers = await beginSession(send, chance);
  await send("POST", "/mcp", headers, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  await send("POST", "/mcp", headers, '{"jsonrpc":"2.0","id":2,"method":"tools/list"}');
  for (let id = 3; id < 6; id++)
    await send("POST", "/mcp", headers, callText("isPrime", `{"number":${chance.below(2 ** 20)}}`, String(id)));
  return headers;
}

/** Callers of a service as it has them, good ones and bad ones; two hundred requests a second in all. */
export const loadCallers: readonly LoadCaller[] = [
  // Small calls over both fronts.
  { rate: 40, call: (send, chance) => send("POST", "/tool/isPrime", json, `{"number":${chance.below(2 ** 20)}}`) },
  {
    rate: 30,
    call: (send, chance) => send("POST", "/mcp", mcp, callText("isPrime", `{"number":${chance.below(99)}}`)),
  },
  {
    rate: 10,
    call: (send, chance) => send("POST", "/tool/echo", json, JSON.stringify({ text: words(chance, 20_000) })),
  },
  // Jobs that are kept, some of them with large results.
  {
    rate: 30,
    call: (send, chance) =>
      send("POST", "/tool/echo", { ...json, "job-id": newId(chance) }, JSON.stringify({ text: words(chance, 2000) })),
  },
  {
    rate: 6,
    call: (send, chance) =>
      send("POST", "/tool/large", { ...json, "job-id": newId(chance) }, `{"bytes":${chance.below(400_000)}}`),
  },
  {
    rate: 2,
    async call(send, chance) {
      const id = newId(chance);
      await send("POST", "/tool/isPrime", { ...json, "job-id": id, prefer: "respond-async" }, '{"number":997}');
      await send("GET", `/jobs/${id}/events`);
      await send("GET", `/jobs/${id}`);
      if (chance.happens(0.5)) await send("DELETE", `/jobs/${id}`);
    },
  },
  // Sessions: left at once, used and left, and ended as they should be.
  { rate: 2, call: beginSession },
  { rate: 8, call: useSession },
  { rate: 1, call: async (send, chance) => send("DELETE", "/mcp", await useSession(send, chance)) },
  // Large answers, to those who read well and to those who do not.
  { rate: 1, call: (send) => send("POST", "/tool/large", json, '{"bytes":1000000}') },
  { rate: 0.2, call: (send) => send("POST", "/tool/large", json, '{"bytes":5000000}', 256_000) },
  // Requests that must be refused.
  { rate: 10, call: (send) => send("POST", "/tool/isPrime", json, '{"number":"7","__proto__":{"x":1}}') },
  {
    rate: 5,
    call: (send, chance) => send("POST", "/mcp", mcp, `{"jsonrpc":"2.0","id":1,"method":"${words(chance, 99)}"`),
  },
  // Its answer may be lost when the connection is closed under the rest of the body.
  {
    rate: 1,
    call: (send, chance) =>
      send("POST", "/tool/echo", json, JSON.stringify({ text: `${"x".repeat(2 ** 20)}${words(chance, 2e6)}` })).catch(
        () => {},
      ),
  },
  // Pages, lists and probes.
  { rate: 5, call: (send) => send("GET", "/healthz") },
  { rate: 1, call: (send) => send("GET", "/jobs?limit=20") },
  { rate: 0.5, call: (send) => send("GET", "/openapi.json") },
  { rate: 0.5, call: (send) => send("GET", "/docs") },
];
