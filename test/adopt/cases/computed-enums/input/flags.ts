import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { z } from "zod";

enum Flag {
  Read = 1 << 0,
  Write = 1 << 1,
  Run = 1 << 2,
  Change = Read | Write,
}
enum Level {
  Low = "low".length,
  High,
}
enum Status {
  Found = 0xc8,
  Missing = Found + 204,
}
const Flags = z.object({ flag: z.nativeEnum(Flag), start: z.literal(Flag.Change), level: z.nativeEnum(Level) });

export const app = new Hono()
  // Sets flags.
  .post("/flags", zValidator("json", Flags), (c) => {
    const { flag } = c.req.valid("json");
    if (flag === 1) return c.json({ error: "There is no such flag." }, Status.Missing);
    return c.json(flag, Status.Found);
  });
