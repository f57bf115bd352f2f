// The AI SDK of Vercel.
import { createMCPClient } from "@ai-sdk/mcp";
import { StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { readRequest, tell } from "./read-request.mjs";

const { transport, url, command, args } = readRequest();
const client = await createMCPClient({
  transport: transport === "http" ? { type: "http", url } : new StdioMCPTransport({ command, args }),
});
const tools = await client.tools();
const options = { toolCallId: "1", messages: [] };
const answer = await tools.greet.execute({ name: "hosts" }, options);
const refused = await tools.greet.execute({}, options);
tell({
  tools: Object.keys(tools),
  text: answer.content[0].text,
  failure: refused.isError ? refused.content[0].text : "",
});
