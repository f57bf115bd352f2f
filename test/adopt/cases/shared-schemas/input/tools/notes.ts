import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { authorSchema, noteSchema, type Note } from "../schemas.js";

const notes: Note[] = [];

export const registerNotes = (server: McpServer): void => {
  server.registerTool("save_note", { description: "Saves a note.", inputSchema: noteSchema.shape }, async (note) => {
    notes.push(note);
    return { content: [{ type: "text", text: "saved" }] };
  });
  server.registerTool(
    "notes",
    {
      description: "Lists the notes of an author.",
      inputSchema: { author: authorSchema.optional() },
      outputSchema: { notes: z.array(noteSchema) },
    },
    async ({ author }) => {
      const found = notes.filter((note) => author === undefined || note.author.name === author.name);
      return { content: [], structuredContent: { notes: found } };
    },
  );
};
