import { platformLambda, StepInterruptedError, type JobContext, type StepAttempt } from "../../../runtime/index.ts";
import type { KeptCodec } from "../../../runtime/contract/contract.ts";
import { defineTool } from "../../../runtime/internal.ts";

/** Request of a durable job in the sweep. */
export interface DurableRequest {
  /** Address of the ledger that counts effects. */
  readonly ledger: string;
  readonly steps: number;
  /** It waits for a message outside of its process. */
  readonly waits: boolean;
  /** Milliseconds of a sleep between its steps. */
  readonly sleep: number;
}

/** Numbers of the effects that counted for the job. */
export interface DurableResult {
  readonly effects: Readonly<Record<string, number>>;
  readonly message: number | null;
}

const schema = { type: "object", properties: { ledger: {}, steps: {}, waits: {}, sleep: {} }, required: ["ledger"] };
const number: KeptCodec = {
  fingerprint: "number",
  schema: { type: "number" },
  is: (wire) => typeof wire === "number",
};
type Step = (name: string, options: object, run: (step: StepAttempt) => unknown, codec: KeptCodec) => Promise<number>;
type Wait = (name: string, options: object, codec: KeptCodec) => Promise<number>;

async function pay({ ledger, steps, waits, sleep }: DurableRequest, job: JobContext): Promise<DurableResult> {
  const effects: Record<string, number> = {};
  const keep = async (name: string, options: { readonly key?: number } = {}): Promise<void> => {
    const key = options.key === undefined ? name : `${name}[${options.key}]`;
    const run = async ({ idempotencyKey }: StepAttempt): Promise<unknown> => {
      const response = await fetch(ledger, { method: "POST", body: JSON.stringify([job.jobId, key, idempotencyKey]) });
      if (!response.ok) throw new Error(`The ledger answers ${response.status}.`);
      return response.json();
    };
    effects[key] = await (job.step as Step).call(job, name, options, run, number);
  };
  await keep("charge");
  await Promise.all(Array.from({ length: steps }, (_, key) => keep("ship", { key })));
  await keep("once", { atMostOnce: true } as object).catch((error: unknown) => {
    if (!(error instanceof StepInterruptedError)) throw error;
    effects["once"] = -1;
  });
  if (sleep > 0) await job.sleep(`${sleep}ms`);
  const message = waits ? await (job.wait as Wait).call(job, "go", { within: "1 hour" }, number) : null;
  await keep("end");
  return { effects, message };
}

/** Registers the durable tool of the sweep as a build would. */
export function defineDurableTool(): void {
  defineTool(
    {
      name: "pay",
      description: "Keeps its steps.",
      signature: "pay(request: DurableRequest): Promise<DurableResult>",
      source: "test/chaos/durable/durable-tool.ts:1",
      annotations: {},
      durable: true,
      retry: { attempts: 20, from: 20, to: 500 },
      waits: [{ name: "go", schema: { type: "number" } }],
      request: { schema },
      result: { kind: "json" },
      mcp: { inputSchema: schema },
    },
    {
      author: platformLambda(pay, { executorOpts: { jobCacheSize: 1_000_000, jobCacheTtl: 86_400 } }) as never,
      call: pay as never,
      isRequest: () => true,
    },
  );
}
