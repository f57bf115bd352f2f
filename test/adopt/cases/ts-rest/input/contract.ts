import { initContract } from "@ts-rest/core";
import { z } from "zod";

const c = initContract();

const Note = z.object({ id: z.uuid(), title: z.string().min(1), text: z.string() });
const Problem = z.object({ message: z.string() });

/** The number of notes. */
export interface Count {
  /** Over all pages */
  total: number;
  byTag?: Record<string, number>;
}

const notes = c.router(
  {
    list: {
      method: "GET",
      path: "/",
      summary: "Lists the notes",
      description: "Newest first.",
      query: z.object({ page: z.number().int().min(1).default(1), tag: z.string().optional() }),
      responses: { 200: z.array(Note) },
    },
    read: {
      method: "GET",
      path: "/:id",
      summary: "Reads a note.",
      pathParams: Note.pick({ id: true }),
      responses: { 200: Note, 404: z.null() },
    },
    change: {
      method: "PATCH",
      path: "/:id",
      body: Note.omit({ id: true }).partial(),
      summary: "Changes a note.",
      responses: { 200: Note, 404: Problem },
    },
    remove: {
      method: "DELETE",
      path: "/:id",
      summary: "Removes a note.",
      deprecated: true,
      body: c.noBody(),
      responses: { 204: c.noBody(), 404: Problem },
    },
    count: {
      method: "POST",
      path: "/count",
      summary: "Counts notes.",
      body: c.type<{ tags?: string[] }>(),
      responses: { 200: c.type<Count>() },
    },
  },
  { pathPrefix: "/notes" },
);

export const contract = c.router({
  notes,
  health: { read: { method: "GET", path: "/health", responses: { 200: z.object({ ok: z.boolean() }) } } },
});
