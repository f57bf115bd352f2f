// Hono with zod, as its documentation shows it.
import { serve } from "@hono/node-server";
import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { z } from "zod";
import { reportServer } from "../lib/server-process.ts";
import { isPrime } from "./is-prime.ts";

const request = z.object({
  number: z.number().int().min(0).max(4294967295),
  note: z.string().max(1000).optional(),
  tags: z.array(z.string()).optional(),
});
const app = new Hono();
app.post("/tool", zValidator("json", request), (context) => {
  const { number } = context.req.valid("json");
  return context.json({ number, isPrime: isPrime(number) });
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => reportServer(port));
