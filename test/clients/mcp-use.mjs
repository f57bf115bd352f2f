// mcp-use; the client of its second major is not on npm.
import { MCPClient } from "mcp-use/client";
import { readRequest, tell } from "./read-request.mjs";

const { transport, url, command, args } = readRequest();
const client = new MCPClient({ mcpServers: { service: transport === "http" ? { url } : { command, args } } });
const session = await client.createSession("service");
const tools = await session.listTools();
const answer = await session.callTool("greet", { name: "hosts" });
const refused = await session.callTool("greet", {});
tell({
  tools: tools.map(({ name }) => name),
  text: answer.content[0].text,
  failure: refused.isError ? refused.content[0].text : "",
});
