// `node:http` that parses and answers without a check. `bare.ts rest|mcp`
import type { AddressInfo } from "node:net";
import { reportServer } from "../lib/server-process.ts";
import { isPrime } from "./is-prime.ts";

interface Message {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly arguments: { readonly number: number } };
}

const tools = process.argv[3];
const list = tools === undefined ? "" : `,"result":${tools}}`;

function answer(text: string): string {
  const message = JSON.parse(text) as Message;
  if (message.method === "tools/list") return `{"jsonrpc":"2.0","id":${message.id}${list}`;
  const { number } = message.params.arguments;
  const result = { number, isPrime: isPrime(number) };
  return JSON.stringify({
    jsonrpc: "2.0",
    id: message.id,
    result: { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result },
  });
}

function answerRest(text: string): string {
  const { number } = JSON.parse(text) as { number: number };
  return JSON.stringify({ number, isPrime: isPrime(number) });
}

const respond = process.argv[2] === "rest" ? answerRest : answer;
const server = process.getBuiltinModule("node:http").createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const text = respond(Buffer.concat(chunks).toString());
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => reportServer((server.address() as AddressInfo).port));
