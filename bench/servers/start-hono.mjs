// Hono with zod, for `bench/start.ts`.
import { serve } from "@hono/node-server";
import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { z } from "zod";

const app = new Hono();
app.post("/tool", zValidator("json", z.object({ number: z.number().int().min(0).max(4_294_967_295) })), (context) =>
  context.json({ number: context.req.valid("json").number, isPrime: true }),
);
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => console.error(`http://127.0.0.1:${port}`));
