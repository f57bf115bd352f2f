import { createExpressEndpoints, initServer } from "@ts-rest/express";
import express from "express";
import { contract } from "./contract.ts";

const s = initServer();
const stored = new Map<string, { id: string; title: string; text: string }>();

const notes = s.router(contract.notes, {
  list: async ({ query: { page, tag } }) => ({
    status: 200,
    body: [...stored.values()].filter(({ text }) => text.includes(tag ?? "")).slice((page - 1) * 10, page * 10),
  }),
  read: async ({ params }) => {
    const note = stored.get(params.id);
    return note ? { status: 200, body: note } : { status: 404, body: null };
  },
  change: {
    middleware: [],
    handler: async ({ params: { id }, body }) => {
      const note = stored.get(id);
      if (note === undefined) return { status: 404, body: { message: "There is no such note." } } as const;
      stored.set(id, { ...note, ...body });
      const changed = { note, body };
      console.log(changed);
      return { status: 200 as const, body: note };
    },
  },
  async remove({ params, headers }) {
    if (headers["x-sure"] !== "yes" || !stored.delete(params.id)) return { status: 404, body: undefined };
    return { status: 204, body: undefined };
  },
});

createExpressEndpoints(contract, s.router(contract, { notes }), express());
