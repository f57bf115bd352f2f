import type { JsonObject } from "../contract.ts";
import { problemResponses } from "./openapi-shared-components.ts";

const time: JsonObject = { type: "string", format: "date-time" };

const schedule: JsonObject = {
  type: "object",
  required: ["tool", "number", "cron", "zone", "missed", "overlap", "paused"],
  properties: {
    tool: { type: "string" },
    number: { type: "integer", description: "Place among the schedules of its tool, from 1." },
    cron: { type: "string" },
    zone: { type: "string" },
    request: { description: "The request of its jobs." },
    missed: { enum: ["one", "skip", "all"] },
    overlap: { enum: ["skip", "queue", "cancel", "allow"] },
    jitter: { type: "number", description: "Seconds." },
    paused: { type: "boolean" },
    next: { ...time, description: "The next firing; absent while the schedule is paused." },
    last: { ...time, description: "The last firing that started a job." },
    "last-job": {
      type: "object",
      required: ["id"],
      properties: { id: { type: "string" }, status: { type: "string", description: "As long as the job is kept." } },
    },
  },
};

/** Routes of a service with scheduled tools. */
export const scheduleRoutes: Readonly<Record<string, JsonObject>> = {
  "/schedules": {
    get: {
      operationId: "service.schedules.list",
      tags: ["Service"],
      summary: "When tools start by themselves: next, last and last job of each schedule",
      responses: {
        "200": {
          description: "All schedules.",
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["items", "at-time"],
                properties: { items: { type: "array", items: schedule }, "at-time": time },
              },
            },
          },
        },
        ...problemResponses(["403"]),
      },
    },
  },
  "/schedules/{tool}/{number}/paused": {
    parameters: [
      { name: "tool", in: "path", required: true, schema: { type: "string" } },
      { name: "number", in: "path", required: true, schema: { type: "integer", minimum: 1 } },
    ],
    put: {
      operationId: "service.schedules.pause",
      tags: ["Service"],
      summary: "Pauses a schedule, or lets it go on with its next firing",
      requestBody: { required: true, content: { "application/json": { schema: { type: "boolean" } } } },
      responses: {
        "200": { description: "The schedule.", content: { "application/json": { schema: schedule } } },
        ...problemResponses(["400", "403", "404"]),
      },
    },
  },
};
