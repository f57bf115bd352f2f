// A service that uses everything telemetry looks at. `mode` in the request says what the tool does.
import { get } from "node:http";
import { setImmediate, setTimeout } from "node:timers/promises";
import { metrics, propagation, trace } from "@opentelemetry/api";
import {
  getLogger,
  loggingInit,
  Service,
  startBatchService,
  startLambdaServer,
  ValueError,
  type JobContext,
} from "../../../runtime/index.ts";
import { defineTool } from "../../../runtime/internal.ts";
import { fakeTool } from "../fake-tool.ts";

loggingInit();
const logger = getLogger("author");

interface Request {
  readonly mode?: string;
  readonly text?: string;
}

async function work({ mode = "plain", text = "" }: Request, job: JobContext): Promise<unknown> {
  switch (mode) {
    case "log":
      logger.info({ rows: 3, nested: { apiKey: text } }, `worked with ${text}`);
      return { mode };
    case "steps":
      await job.report.step("outer", { message: "Outer", rows: 3, skipped: { a: 1 } }, async (step) => {
        step.info({ text });
        await job.report.step("inner", async () => {});
        job.report.stepStarted("loose");
        job.report.stepFinished("loose");
        step.finished({ message: "Done" });
      });
      return { mode };
    case "call":
      return job.report.step("call", async () => ({ status: (await fetch(text)).status }));
    case "hold": {
      const { status } = await fetch(text);
      // The process that gets this variable is killed while its job waits.
      if (process.env["HOLD"] !== undefined) await new Promise(() => setInterval(() => {}, 1000));
      return { status };
    }
    case "http":
      return job.report.step(
        "call",
        () =>
          new Promise((resolve, reject) => {
            get(text, (response) => resolve({ status: response.resume().statusCode })).on("error", reject);
          }),
      );
    case "user":
      throw new ValueError(`no ${text}`);
    case "throw":
      await job.report.step("breaks", async () => {
        throw new TypeError(`inner ${text}`, { cause: new Error(`root ${text}`) });
      });
      return null;
    case "secrets": {
      logger.warn({ headers: { Authorization: text }, url: `https://u:${text}@h/?token=${text}` }, `have ${text}`);
      const error = new Error(`first ${text}`, { cause: new Error(`second ${job.jobAuthorization ?? "nothing"}`) });
      logger.error(error);
      await job.report.step(`step ${text}`, { message: `message ${text}`, token: text }, () => {
        throw error;
      });
      return null;
    }
    case "canary": {
      // The key and the address of the model are those of the environment.
      const client = await job.llmClient();
      await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: text }] });
      await job.report.step("call", async () => (await fetch(`${process.env["LLM_BASE_URL"]}/?token=${text}`)).text());
      return { password: process.env["PLAIN_NAME"], value: process.env["PLAIN_NAME"] };
    }
    case "query": {
      const { default: pg } = await import("pg");
      const client = new pg.Client({ connectionString: text });
      await client.connect();
      const { rows } = await job.report.step("query", () => client.query("SELECT 1 AS one"));
      await client.end();
      return { rows };
    }
    case "author":
      return authorSpans(text, job);
    case "llm": {
      const client = await job.llmClient({ apiKey: "key", baseURL: text });
      const messages = [{ role: "user", content: "hi" }] as const;
      return tracer.startActiveSpan("ask", async (span) => {
        const { model } = await client.chat.completions.create({ model: "m", messages: [...messages] });
        span.end();
        return { model };
      });
    }
    default:
      return { mode };
  }
}

// Made before the service starts, as authors do.
const tracer = trace.getTracer("author", "1.0.0");

/** Spans of the author's, across everything that can lose a context. */
async function authorSpans(url: string, job: JobContext): Promise<unknown> {
  const active = trace.getActiveSpan()?.spanContext().spanId;
  metrics.getMeter("author").createCounter("author.calls").add(1);
  await job.report.step("step", () =>
    tracer.startActiveSpan("work", { attributes: { password: "CANARY-attribute", input_tokens: 7 } }, async (span) => {
      await setTimeout(1);
      await setImmediate();
      span.addEvent("found", { header: "Bearer CANARY-event" });
      await new Promise<void>((resolve) => {
        queueMicrotask(() => tracer.startSpan("deep").end());
        resolve();
      });
      if (url !== "") await (await fetch(url)).text();
      span.end();
    }),
  );
  const background = setTimeout(1).then(() => tracer.startSpan("background").end());
  await background;
  return { active, baggage: propagation.getActiveBaggage()?.getEntry("tenant")?.value };
}

const tool = fakeTool(work, {
  name: "work",
  request: {
    type: "object",
    properties: { mode: { type: "string" }, text: { type: "string" } },
  },
});
defineTool({ ...tool.definition, annotations: { idempotentHint: true } }, tool.functions);
const service = new Service({ name: "Telemetry test", version: "1.2.3" });
if (process.env["AS_WORKER"] === undefined) await startLambdaServer(service);
else await startBatchService(service);
