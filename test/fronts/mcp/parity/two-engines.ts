import { Agent, request, type IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { createExecutor } from "../../../../runtime/executor/job-executor.ts";
import { createMemoryStore } from "../../../../runtime/executor/store/memory/memory.ts";
import { parseJsonBody } from "../../../../runtime/fronts/http/parse-json.ts";
import { createLineChannel } from "../../../../runtime/fronts/mcp/stdio/line-channel.ts";
import { serveLines } from "../../../../runtime/fronts/mcp/stdio/serve-lines.ts";
import { servicePort } from "../../../../runtime/fronts/mcp/service-port.ts";
import { Service } from "../../../../runtime/service/service.ts";
import type { Tool } from "../../../../runtime/service/tools/tool.ts";
import { messagesOf } from "../raw-http.ts";
import type { SentMessage } from "./messages.ts";

/** The part of an answer that matters. Ids of jobs are left out, because every call has another. */
export interface ComparableAnswer {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly allow: string | undefined;
  readonly messages: unknown;
}

export const agent: Agent = new Agent({ keepAlive: true, maxSockets: 16 });

export async function answerTo(
  url: string,
  { method = "POST", headers, body }: SentMessage,
): Promise<ComparableAnswer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const accept = "application/json, text/event-stream";
    const sent = request(url, {
      method,
      agent,
      headers: { "Content-Type": "application/json", Accept: accept, ...headers },
    });
    sent
      .on("response", resolve)
      .on("error", reject)
      .end(method === "POST" ? body : undefined);
  });
  const read = await text(response);
  const type = response.headers["content-type"];
  return {
    status: response.statusCode,
    type,
    allow: response.headers.allow,
    messages:
      read === "" ? undefined : comparable(messagesOf({ status: undefined, headers: response.headers, body: read })),
  };
}

/** JSON without what is different each time. */
export function comparable(value: unknown): unknown {
  const json = JSON.stringify(value)
    .replaceAll(/urn:platform:job:[0-9a-f-]{36}/g, "<job>")
    .replaceAll(/"timestamp":"[^"]+"/g, '"timestamp":"<time>"');
  return ordered(JSON.parse(json.replaceAll(/"requestState":"[^"]+"/g, '"requestState":"<state>"')));
}

/** The order of keys means nothing, but it would in a comparison of texts. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, ordered(item)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Answers of a connection over lines to messages that are sent one after the other, in any order. */
export async function linesOf(
  tools: readonly Tool[],
  messages: readonly string[],
  parts: { readonly plain?: false },
): Promise<readonly unknown[]> {
  const executor = createExecutor({ tools, store: createMemoryStore() });
  const port = servicePort({
    service: new Service({ name: "Test" }),
    version: "1",
    tools,
    executor,
    transport: "pipe",
  });
  const input = new PassThrough();
  const written: string[] = [];
  const channel = createLineChannel({
    input,
    write(line, done) {
      written.push(line);
      done();
    },
    parse: parseJsonBody,
    limit: 100_000,
    grace: 5000,
  });
  const closed = new Promise<void>((resolve) => {
    serveLines(
      port,
      async () => port,
      {
        ...channel,
        open: (handlers) =>
          channel.open({
            message: handlers.message,
            closed() {
              handlers.closed();
              resolve();
            },
          }),
      },
      parts,
    );
  });
  // The engine may still be on its way; lines wait for it in the stream.
  input.end(`${messages.join("\n")}\n`);
  await closed;
  await executor.drain(0);
  const answers = written
    .join("")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => comparable(JSON.parse(line)));
  return answers.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
}
