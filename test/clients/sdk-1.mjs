// The official SDK, first major; with `proxy` behind mcp-remote.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { readRequest, tell } from "./read-request.mjs";

const { transport, url, command, args } = readRequest();
const client = new Client({ name: "tenon-clients", version: "1.0.0" });
await client.connect(
  transport === "http" ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command, args }),
);
const { tools } = await client.listTools();
const answer = await client.callTool({ name: "greet", arguments: { name: "hosts" } });
const refused = await client.callTool({ name: "greet", arguments: {} });
tell({
  tools: tools.map(({ name }) => name),
  text: answer.content[0].text,
  failure: refused.isError ? refused.content[0].text : "",
});
