// `node:http` that parses and answers without a check. Its answers and their headers are as long as tenon's, except
// that the id of a job, of which it has none, is always the same. `bare.ts rest|mcp`
import type { AddressInfo } from "node:net";
import { reportServer } from "../lib/server-process.ts";
import { isPrime } from "./is-prime.ts";

interface Message {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly arguments: { readonly number: number }; readonly _meta?: object };
}

const $schema = "urn:bench:schema.is-prime.1";
const jobId = "urn:platform:job:00000000-0000-7000-8000-000000000000";
const serverInfo = { name: "Bench", version: "1.0.0" };

function answer(text: string): string {
  const message = JSON.parse(text) as Message;
  const { number } = message.params.arguments;
  const result = { $schema, number, isPrime: isPrime(number) };
  const content = [{ type: "text", text: JSON.stringify(result) }];
  return JSON.stringify({
    jsonrpc: "2.0",
    id: message.id,
    result:
      message.params._meta === undefined
        ? { content, structuredContent: result, _meta: { "platform/job-id": jobId } }
        : {
            content,
            structuredContent: result,
            _meta: { "platform/job-id": jobId, "io.modelcontextprotocol/serverInfo": serverInfo },
            resultType: "complete",
          },
  });
}

function answerRest(text: string): string {
  const { number } = JSON.parse(text) as { number: number };
  return JSON.stringify({ $schema, number, isPrime: isPrime(number) });
}

const type = "application/json";
const version = "0.1.0";
const isRest = process.argv[2] === "rest";
const respond = isRest ? answerRest : answer;
const server = process.getBuiltinModule("node:http").createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const text = respond(Buffer.concat(chunks).toString());
    const length = Buffer.byteLength(text);
    response.writeHead(
      200,
      isRest
        ? { "Content-Type": type, "job-id": jobId, "Platform-Tool-Version": version, "Content-Length": length }
        : { "Content-Type": type, "Platform-Tool-Version": version, "Content-Length": length },
    );
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => reportServer((server.address() as AddressInfo).port));
