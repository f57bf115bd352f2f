/** A service as a bundle would be: tools registered as generated code does it, then the start call. */
import { existsSync } from "node:fs";
import {
  getLogger,
  loggingInit,
  platformLambda,
  Service,
  startLambdaServer,
  ValueError,
  type JobContext,
} from "../../../runtime/index.ts";
import { defineTool } from "../../../runtime/internal.ts";

loggingInit();
const log = getLogger("service");

interface SlowRequest {
  readonly ms: number;
  readonly stray?: string;
  /** The job waits until this file is there. */
  readonly gate?: string;
}

async function slow({ ms, stray, gate }: SlowRequest, job: JobContext): Promise<unknown> {
  if (ms < 0) throw new ValueError("ms is negative");
  if (stray === "rejection") void Promise.reject(new Error("stray rejection"));
  if (stray === "throw")
    setTimeout(() => {
      throw new Error("stray throw");
    }, 1);
  if (stray === "outside") process.kill(process.pid, "SIGUSR2");
  log.info("waiting");
  await pause(ms, job.signal, stray === "unref");
  if (gate !== undefined) await fileAt(gate, job.signal);
  return { waited: ms };
}

async function fileAt(path: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(path)) await pause(10, signal);
}

function pause(ms: number, signal: AbortSignal, isUnref = false): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    if (isUnref) timer.unref();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

async function report({ ms, gate }: Omit<SlowRequest, "stray">, job: JobContext): Promise<unknown> {
  job.report.stepStarted("wait");
  await slow({ ms, ...(gate !== undefined && { gate }) }, job);
  job.report.stepFinished("wait");
  return { pid: process.pid };
}

const yesOrNo = {
  schema: { type: "object", properties: { answer: { type: "boolean" } }, required: ["answer"] },
  single: true,
} as const;

async function deadly({ ms }: SlowRequest, job: JobContext): Promise<unknown> {
  await pause(ms, job.signal);
  if (ms === 666) process.kill(process.pid, "SIGKILL");
  return { waited: ms };
}

/** Asks twice once it is a task, and tells which process asked for the last time. */
async function asking({ ms }: SlowRequest, job: JobContext): Promise<unknown> {
  await pause(ms, job.signal);
  const first = await job.ask<boolean>("First?", { key: "first" }, yesOrNo);
  const second = await job.ask<boolean>("Second?", { key: "second" }, yesOrNo);
  return { pid: process.pid, first, second };
}

function define(
  name: string,
  author: (...args: never[]) => unknown,
  isIdempotent = false,
  task?: "required" | "optional",
): void {
  const schema = { type: "object", properties: { ms: { type: "number" } }, required: ["ms"] };
  defineTool(
    {
      name,
      description: `Tool ${name}.`,
      signature: `${name}(ms: number)`,
      source: `src/${name}.ts:1`,
      annotations: isIdempotent ? { idempotentHint: true } : {},
      request: { schema },
      result: { kind: "json", schema: {} },
      mcp: { inputSchema: schema, ...(task !== undefined && { task }) },
    },
    {
      author,
      call: (request, job) => author(request, job),
      isRequest: (wire) => typeof (wire as { ms?: unknown } | null)?.ms === "number",
    },
  );
}

const which = process.env["TEST_TOOLS"] ?? "slow";
if (which.includes("slow")) define("slow", platformLambda(slow, { isReady: () => process.env["TEST_READY"] !== "no" }));
// Has one place, and runs again after its process has died.
if (which.includes("single")) {
  define("single", platformLambda(report, { executorOpts: { maxWorkers: 1 } }), true);
}
if (which.includes("asking")) {
  define("asking", platformLambda(asking, { executorOpts: { maxWorkers: 1 } }), true, "required");
}
// Jobs of 666 ms end the process, and all that run beside them.
if (which.includes("deadly")) define("deadly", deadly, true);
if (which.includes("other")) define("other", () => 1);
if (which.includes("conflict")) defineTool({ name: "slow", source: "src/again.ts:9" } as never, {} as never);
if (which.includes("stray")) platformLambda(function undefinedTool() {});

process.once("SIGUSR2", () => {
  throw new Error("from nowhere");
});

await startLambdaServer(new Service({ name: "Test service", version: "1.2.3" }));
