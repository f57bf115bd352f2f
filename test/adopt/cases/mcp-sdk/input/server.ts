import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { readFile } from "node:fs/promises";
import { z } from "zod";

const greeting = "Hello";

/** Makes a greeting. */
function greet(name: string): string {
  return `${greeting}, ${name}!`;
}

export function register(server: McpServer) {
  const suffix = ".txt";

  server.registerTool(
    "greet-person",
    {
      title: "Greet",
      description: "Greets a person, " + "by name.",
      inputSchema: { name: z.string().min(1).describe("Name of the person"), loud: z.boolean().default(false) },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ name, loud }) => {
      const text = greet(name);
      return { content: [{ type: "text", text: loud ? text.toUpperCase() : text }] };
    },
  );

  server.tool("read_note", "Reads a note.", { title: z.string() }, async ({ title }) => {
    try {
      const text = await readFile(title + suffix, "utf8");
      if (text === "") return { content: [{ type: "text", text: "It is empty" }], isError: true };
      return { content: [{ type: "text" as const, text }] };
    } catch (error) {
      return { content: [{ type: "text", text: `Cannot read: ${error}` }], isError: true };
    }
  });

  server.registerTool(
    "add",
    {
      description: "Adds two numbers.",
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
    },
    ({ a, b }) => {
      const output = { sum: a + b };
      return { content: [{ type: "text", text: JSON.stringify(output) }], structuredContent: output };
    },
  );

  server.tool("ping", async () => ({ content: [{ type: "text", text: "pong" }] }));

  server.registerTool(
    "draw",
    { description: "Draws a picture.", inputSchema: { width: z.number().int().positive() } },
    async (args) => {
      return { content: [{ type: "image", data: btoa(String(args.width)), mimeType: "image/png" }] };
    },
  );
}
