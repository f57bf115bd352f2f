import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { toResult } from "./results.js";

interface Client {
  find(text: string): Promise<string[]>;
}

const range = z
  .object({ from: z.number(), to: z.number() })
  .refine(({ from, to }) => from <= to, "from is after to");

export function register(server: McpServer, client: Client, names: string[]): void {
  server.registerTool(
    "search notes",
    {
      description: "Searches notes.",
      inputSchema: {
        text: z.string().trim().transform((text) => text.split(" ")),
        range,
        code: z.string().ulid(),
        made: z.string().default(() => new Date().toISOString()),
        match: z.string().regex(/^a/i),
        count: z.coerce.number(),
        other: z.custom<string>(),
      },
    },
    async ({ text }, extra) => {
      if (extra.signal.aborted) throw new Error("stopped");
      return toResult(await client.find(String(text)));
    },
  );

  server.registerTool("handled", { description: "Is handled elsewhere.", inputSchema: { a: z.string() } }, toResult);

  for (const name of names) server.tool(name, "Is made in a loop.", async () => ({ content: [] }));
}
