import { GenericEvent, platformLambda, type JobContext } from "../../runtime/index.ts";
import { defineTool } from "../../runtime/internal.ts";

/** Request of a job in the sweep. */
export interface ChaosRequest {
  readonly text: string;
  readonly milliseconds: number;
  readonly events: number;
  /** It kills the process that runs it. */
  readonly poison?: boolean;
}

const schema = {
  type: "object",
  properties: { text: {}, milliseconds: {}, events: {}, poison: {} },
  required: ["text", "milliseconds", "events"],
} as const;

/**
 * Registers the tool of the sweep as a build would. Every run returns another result, so that two results of one job
 * are noticed.
 */
export function defineChaosTool(): void {
  let runs = 0;
  const call = async ({ text, milliseconds, events, poison }: ChaosRequest, job: JobContext): Promise<object> => {
    if (poison === true) process.kill(process.pid, "SIGKILL");
    const run = `${process.pid}.${++runs}`;
    for (let count = 1; count <= events; count++) {
      job.report.emit(new GenericEvent("chaos", { count, run }));
      await pause(milliseconds / events, job.signal);
    }
    return { text, run };
  };
  defineTool(
    {
      name: "chaos",
      description: "Waits, and says so.",
      signature: "chaos(request: ChaosRequest): Promise<object>",
      source: "test/chaos/chaos-tool.ts:1",
      annotations: { idempotentHint: true },
      request: { schema },
      result: { kind: "json" },
      mcp: { inputSchema: schema },
    },
    {
      // All jobs of a sweep can be asked for at its end.
      author: platformLambda(call, { executorOpts: { jobCacheSize: 1_000_000, jobCacheTtl: 86_400 } }) as never,
      call: call as never,
      isRequest: (wire: unknown) => typeof (wire as { text?: unknown } | null)?.text === "string",
    },
  );
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
