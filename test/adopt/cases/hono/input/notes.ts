import { zValidator } from "@hono/zod-validator";
import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { Hono } from "hono";
import { z } from "zod";

const Note = z.object({ title: z.string().min(1), text: z.string() });
const notes = new Map<string, z.infer<typeof Note>>();

export const app = new Hono()
  // Lists the notes, page by page.
  .get("/notes", zValidator("query", z.object({ page: z.number().int().min(1).default(1) })), (c) => {
    const { page } = c.req.valid("query");
    return c.json([...notes.values()].slice((page - 1) * 10, page * 10));
  })
  .post("/notes", zValidator("json", Note), async (c) => {
    const note = c.req.valid("json");
    notes.set(note.title, note);
    return c.json(note, 201);
  })
  .put("/notes/:id", zValidator("param", z.object({ id: z.string() })), zValidator("json", Note.partial()), (c) => {
    const { id } = c.req.valid("param");
    const note = notes.get(id);
    if (note === undefined) return c.json({ error: "There is no such note." }, 404);
    notes.set(id, { ...note, ...c.req.valid("json") });
    return c.body(null, 204);
  })
  .patch("/notes/:id", zValidator("param", z.object({ id: z.string() })), (c) => {
    if (!notes.delete(c.req.valid("param").id)) return c.body(null, 404);
    return c.body(null);
  })
  .delete("/:id", zValidator("query", z.object({ soft: z.boolean().optional() })), (c) => {
    const user = c.get("user");
    return c.json({ gone: notes.delete(c.req.param("id")), user });
  });

const route = createRoute({
  method: "get",
  path: "/notes/{id}",
  description: "Reads a note.",
  request: { params: z.object({ id: z.string().min(1) }) },
  responses: { 200: { content: { "application/json": { schema: Note } }, description: "The note" } },
});

new OpenAPIHono().openapi(route, (c) => {
  const note = notes.get(c.req.valid("param").id);
  if (note === undefined) return c.json({ message: "There is no such note." }, 404);
  return c.json(note, 200);
});
