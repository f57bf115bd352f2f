import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

enum Level {
  low = 1,
  high = 3,
}
const COLOURS = ["red", "green"] as const;
const PATTERNS = { code: /^[A-Z]{3}$/ } as const;
const Base = z.object({ id: z.uuid(), note: z.string().optional() });
const Person = Base.extend({ mail: z.email(), age: z.number().int().nonnegative().nullable() });
const Shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), r: z.number().gt(0) }),
  z.object({ kind: z.literal("square"), side: z.number().lt(100).multipleOf(0.5) }),
]);
type Node = { value: string; children: Node[] };
const Node: z.ZodType<Node> = z.lazy(() => z.object({ value: z.string(), children: z.array(Node) }));
const limited = (most: number) => z.number().max(most).describe(`At most ${most}`);

export function register(server: McpServer): void {
  server.registerTool(
    "types",
    {
      description: "Takes every type.",
      inputSchema: z.object({
        text: z.string().min(2).max(9).regex(/^[a-z\-]+$/),
        code: z.string().regex(PATTERNS.code),
        start: z.string().startsWith("a.b"),
        url: z.string().url().meta({ description: "An address", title: "Address" }),
        when: z.iso.datetime(),
        day: z.iso.date().optional(),
        int: z.int().min(3),
        limited: limited(7).default(5),
        choice: z.enum(["a", "b"]).default("a"),
        colour: z.enum(COLOURS),
        level: z.enum(Level),
        literal: z.literal(["x", 1, null]),
        flag: z.boolean(),
        list: z.array(z.string().min(1)).min(1).max(3),
        pair: z.tuple([z.string(), z.number().int()]),
        rest: z.tuple([z.string()]).rest(z.number()),
        map: z.record(z.string(), z.number().min(0)),
        either: z.union([z.string().min(3), z.number().min(3)]),
        both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
        nullish: z.string().nullish(),
        person: Person,
        people: z.array(Person).default([]),
        part: Person.pick({ mail: true }).partial(),
        less: Person.omit({ id: true, note: true }),
        key: Person.keyof(),
        mail: Person.shape.mail,
        shape: Shape,
        tree: Node,
        any: z.unknown(),
        open: z.looseObject({ a: z.string() }),
        deep: z.object({ list: z.array(z.object({ x: z.number().describe("X.\nOn two lines") })) }),
        old: z.string().optional().meta({ deprecated: true }),
        "odd-key": z.string(),
        constructor: z.string(),
      }),
    },
    async (args) => ({ content: [{ type: "text", text: JSON.stringify(args) }] }),
  );
}
