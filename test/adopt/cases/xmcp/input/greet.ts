import { z } from "zod";
import type { InferSchema, ToolMetadata } from "xmcp";

export const schema = { name: z.string().describe("Name of the person") };

export const metadata: ToolMetadata = {
  name: "greet",
  description: "Greets a person.",
  annotations: { title: "Greet", readOnlyHint: true, idempotentHint: true },
};

export default function greet({ name }: InferSchema<typeof schema>) {
  return `Hello, ${name}!`;
}
