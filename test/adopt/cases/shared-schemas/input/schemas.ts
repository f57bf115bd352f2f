import { z } from "zod";

/** The author. */
export const authorSchema = z.object({ name: z.string().describe("Full name") }).describe("An author");
export const noteSchema = z.object({ author: authorSchema, text: z.string().max(200) });
export type Note = z.infer<typeof noteSchema>;
