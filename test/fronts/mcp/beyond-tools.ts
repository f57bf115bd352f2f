// Functions that ask, take long, or are no tools; run by the tests in their own process over stdio, or behind HTTP.
import { Content, Message } from "../../../runtime/job/content.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import type { Tool } from "../../../runtime/service/tools/tool.ts";
import { fakeTool } from "../../support/fake-tool.ts";

const object = (properties: Record<string, unknown>, required: readonly string[] = Object.keys(properties)): never =>
  ({ type: "object", properties, required }) as never;

const form = { schema: object({ name: { type: "string" } }) };

export const askingTools: readonly Tool[] = [
  fakeTool(
    async (_: unknown, job: JobContext) => {
      job.report.stepStarted("prepare", { message: "Preparing" });
      const { name } = await job.ask<{ name: string }>("Who?", {}, form);
      const { name: other } = await job.ask<{ name: string }>(`Who else, ${name}?`, {}, form);
      return `${name} and ${other}`;
    },
    { name: "ask", request: null, resultKind: "text" },
  ),
  fakeTool(async (_: unknown, job: JobContext) => JSON.stringify(await job.request("roots/list")), {
    name: "roots",
    request: null,
    resultKind: "text",
  }),
  fakeTool(
    async ({ ms }: { ms: number }, job: JobContext) => {
      await new Promise((resolve, reject) => {
        setTimeout(resolve, ms);
        job.signal.addEventListener("abort", () => reject(job.signal.reason as Error));
      });
      return "slept";
    },
    {
      name: "sleep",
      request: object({ ms: { type: "integer" } }),
      resultKind: "text",
      definition: { mcp: { inputSchema: object({ ms: { type: "integer" } }), task: "optional" } },
    },
  ),
  fakeTool(
    () => [Content.text("a", { audience: ["user"] }), Content.link("https://example.com/x", { name: "x" }), "b"],
    {
      name: "contents",
      request: null,
      resultKind: "content",
    },
  ),
];

export const offers: readonly Tool[] = [
  fakeTool(
    ({ language, strict }: { language: string; strict?: boolean }) => [Message.user(`${language} ${String(strict)}`)],
    {
      name: "review",
      request: object(
        {
          language: { enum: ["python", "pytorch", "typescript"], description: "Language." },
          strict: { type: "boolean" },
        },
        ["language"],
      ),
      resultKind: "content",
      options: { coerce: true },
      definition: { kind: "prompt", title: "Review" },
    },
  ),
  fakeTool(async (_: unknown, job: JobContext) => (await job.ask<{ name: string }>("Who?", {}, form)).name, {
    name: "whom",
    request: null,
    resultKind: "text",
    definition: { kind: "prompt" },
  }),
  fakeTool(() => "# All", {
    name: "all",
    request: null,
    resultKind: "text",
    definition: { kind: "resource", uri: "notes://all", mimeType: "text/markdown", content: { priority: 0.5 } },
  }),
  fakeTool(({ id }: { id: number }) => ({ id }), {
    name: "note",
    request: object({ id: { type: "integer" } }),
    options: { coerce: true },
    definition: { kind: "resource", uri: "notes://{id}/data" },
  }),
  fakeTool(() => new Uint8Array([1, 2, 3]), {
    name: "bytes",
    request: null,
    resultKind: "bytes",
    definition: { kind: "resource", uri: "notes://bytes", mimeType: "image/png" },
  }),
];
