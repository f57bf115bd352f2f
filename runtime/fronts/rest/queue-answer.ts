import type { JsonObject } from "../../contract/contract.ts";
import { serviceKey } from "../../contract/definition/service-key.ts";
import type { Executor } from "../../executor/executor.ts";
import { queueOf } from "../../executor/queue.ts";
import { queueBody } from "../../executor/store/queue-body.ts";
import type { TellsHeld } from "../../executor/store/held-jobs.ts";
import type { JobStore } from "../../executor/store/job-store.ts";
import { lineName } from "../../job/limits/job-limit.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { sees, type Caller } from "../http/identity.ts";
import { operates } from "../http/operator.ts";

export interface QueueRequest {
  readonly executor: Executor;
  readonly tools: readonly Tool[];
  readonly caller: Caller | undefined;
  /** Name of the service. */
  readonly service: string;
}

/** Maximum number of keys that are listed. */
const longestLines = 100;

/** Makes the body of `GET /queue`: numbers of waiting and running jobs of the tools that the caller may call. */
export async function queueAnswer({ executor, tools, caller, service }: QueueRequest): Promise<JsonObject> {
  const names = tools.filter(({ definition }) => sees(caller?.scopes, definition.scopes)).map(({ name }) => name);
  const figures = await queueOf({ jobs: executor.jobs, store: executor.store, tools: names });
  const body = queueBody([{ key: serviceKey(service), tools: figures }]);
  const { store }: { readonly store: JobStore & Partial<TellsHeld> } = executor;
  const lines = (await store.heldJobs?.(longestLines))?.keys.filter(({ tool }) => names.includes(tool)) ?? [];
  // The values of keys are left out, since they may belong to other callers.
  const shown = lines.map(({ key, tool, held, oldestHeld }) => ({
    tool,
    limit: lineName(key),
    ...(operates(caller) && { key }),
    held,
    "oldest-held-seconds": Math.round(oldestHeld * 1000) / 1000,
  }));
  return { ...body, ...(shown.length > 0 && { limits: shown }) };
}
