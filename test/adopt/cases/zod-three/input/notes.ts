import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { z } from "zod";

const Note = z.object({
  title: z.string(),
  status: z.enum(["open", "done"]).default("open"),
  colour: z.string().default("red").optional(),
  weight: z.optional(z.number().default(1)),
  place: z.string().default("here").nullish(),
  shown: z.boolean().optional().default(true),
});

export const app = new Hono()
  // Adds a note.
  .post("/notes", zValidator("json", Note), (c) => c.json(c.req.valid("json")))
  // Changes the fields of a note that are given.
  .patch("/notes", zValidator("json", Note.partial()), (c) => c.json(c.req.valid("json")));
