import type { JsonObject } from "../contract.ts";

const text = (description: string): JsonObject => ({ type: "string", description });
const time = (description: string): JsonObject => ({ type: "string", format: "date-time", description });

/** Schema of the answer of `GET /jobs`. */
export const jobListSchema: JsonObject = {
  type: "object",
  required: ["items", "at-time", "links"],
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "status", "tool", "attempt"],
        properties: {
          id: { type: "string" },
          status: { enum: ["pending", "executing", "succeeded", "failed", "error", "cancelled"] },
          tool: { type: "string" },
          attempt: { type: "integer" },
          origin: text("Where the job came from, where that is known."),
          "error-kind": text("Kind of the error that ended it."),
          "error-message": text("Beginning of that error's message."),
          request: text("Beginning of its request as JSON, where the caller may see it."),
          "trace-id": { type: "string" },
          "dead-letter": { const: true },
          "requested-at": time("When it was asked for."),
          "started-at": time("Start of its last attempt."),
          "finished-at": time("Its end."),
          attempts: { type: "array", items: { type: "object" } },
        },
      },
    },
    "at-time": time("When the list was read."),
    links: {
      type: "array",
      items: {
        type: "object",
        required: ["rel", "href"],
        properties: { rel: { type: "string" }, href: { type: "string" } },
      },
    },
  },
};
