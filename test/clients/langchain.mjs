// LangChain, by its adapters.
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { readRequest, tell } from "./read-request.mjs";

const { transport, url, command, args } = readRequest();
const client = new MultiServerMCPClient({
  mcpServers: { service: transport === "http" ? { transport, url } : { transport, command, args } },
});
const tools = await client.getTools();
const greet = tools.find(({ name }) => name.endsWith("greet"));
const answer = await greet.invoke({ name: "hosts" });
const failure = await greet.invoke({ name: 7 }).catch((error) => error.message);
tell({ tools: tools.map(({ name }) => name), text: typeof answer === "string" ? answer : answer.text, failure });
