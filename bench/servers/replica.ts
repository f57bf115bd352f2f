// A replica of a service whose tool holds its place until it is cancelled, or answers at once.
import { loggingInit, platformLambda, Service, startLambdaServer, type JobContext } from "../../runtime/index.ts";
import { defineTool } from "../../runtime/internal.ts";
import { reportServer } from "../lib/server-process.ts";

loggingInit();
const places = Number(process.env["BENCH_PLACES"] ?? 20);
/** Ended jobs that are kept. */
const stored = Number(process.env["BENCH_STORED"] ?? 1000);
const schema = { type: "object", properties: { holds: { type: "boolean" } }, required: ["holds"] } as const;

async function hold({ holds }: { readonly holds: boolean }, job: JobContext): Promise<object> {
  if (!holds) return { held: false };
  const { promise, reject } = Promise.withResolvers<never>();
  job.signal.addEventListener("abort", () => reject(job.signal.reason));
  return promise;
}

defineTool(
  {
    name: "hold",
    description: "Holds its place.",
    signature: "hold(request: Request): Promise<object>",
    source: "bench/servers/replica.ts:1",
    annotations: { idempotentHint: true },
    request: { schema },
    result: { kind: "json" },
    mcp: { inputSchema: schema },
  },
  {
    author: platformLambda(hold, { executorOpts: { maxWorkers: places, jobCacheSize: stored } }) as never,
    call: hold as never,
    isRequest: (wire: unknown) => typeof (wire as { holds?: unknown } | null)?.holds === "boolean",
  },
);
const { url } = await startLambdaServer(new Service({ name: "hold", version: "1" }));
reportServer(Number(new URL(url).port));
