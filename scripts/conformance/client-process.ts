/**
 * The client that the official suite measures: it does over `mcpTransport` what each scenario asks of a client. The
 * suite gives the address of its server as the last word.
 */
import { createClient } from "../../runtime/client/index.ts";
import { mcpTransport } from "../../runtime/client/mcp/index.ts";

type Schema = Readonly<Record<string, unknown>>;
type Tools = Readonly<Record<string, (request: object) => unknown>>;

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const transport = mcpTransport({ url }, { ask: ({ schema }) => sampleOf(schema) });
const client = createClient<Tools>({ transport });
const official = await transport.client();
const { tools = [] } = official.getServerCapabilities()?.tools === undefined ? {} : await official.listTools();
for (const { name, inputSchema } of tools) await call(name, inputSchema);
if (official.getServerCapabilities()?.prompts !== undefined) {
  const { prompts } = await official.listPrompts();
  for (const { name, arguments: fields = [] } of prompts)
    await official.getPrompt({ name, arguments: Object.fromEntries(fields.map((field) => [field.name, "test"])) });
}
if (official.getServerCapabilities()?.resources !== undefined) {
  const { resources } = await official.listResources();
  for (const { uri } of resources) await official.readResource({ uri });
}
await transport.close();

/** Calls a tool with an example; an error is an answer as well. */
async function call(name: string, schema: object): Promise<void> {
  const sample = sampleOf(schema);
  // Three tools ask for something that their schemas do not say.
  if (name.endsWith("_null")) for (const key of Object.keys(sample)) delete sample[key];
  const [field] = Object.keys(sample);
  if (name.endsWith("_echo") && field !== undefined)
    sample[field] = tools.find((tool) => tool.name !== name)?.inputSchema as never;
  await Promise.resolve(client[name]?.(sample)).catch((error: unknown) => console.error(scenario, name, error));
}

/** An object that a schema accepts: defaults, examples, and the simplest value of each type. */
function sampleOf(schema: object): Record<string, never> {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, Schema>> };
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valueOf(field) as never]));
}

function valueOf(field: Schema): unknown {
  const { default: preset, type, enum: choices } = field;
  if (preset !== undefined) return preset;
  if (Array.isArray(choices)) return choices[0];
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (type === "object") return sampleOf(field);
  const { description } = field;
  if (typeof description !== "string" || !/requires Base64/i.test(description)) return "test";
  return /non-ascii/i.test(description) ? "Grüße" : " test ";
}
