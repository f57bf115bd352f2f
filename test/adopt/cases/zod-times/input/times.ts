import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { z } from "zod";

const Times = z.object({
  start: z.iso.time(),
  end: z.string().time(),
  at: z.iso.datetime(),
  offset: z.iso.datetime({ offset: true, precision: 3, local: false }),
  local: z.iso.datetime({ local: true }),
  localText: z.string().datetime({ message: "Write a time.", local: true }),
  minutes: z.iso.datetime({ precision: -1 }),
  lasts: z.iso.duration(),
});

export const app = new Hono()
  // Takes times.
  .post("/times", zValidator("json", Times), (c) => c.json(c.req.valid("json")));
