import type { JsonObject } from "../../contract/contract.ts";
import { serviceKey } from "../../contract/definition/service-key.ts";
import type { Executor } from "../../executor/executor.ts";
import { queueOf } from "../../executor/queue.ts";
import { queueBody } from "../../executor/store/queue-body.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { sees } from "../http/identity.ts";
import type { Caller } from "../http/identity.ts";

export interface QueueRequest {
  readonly executor: Executor;
  readonly tools: readonly Tool[];
  readonly caller: Caller | undefined;
  /** Name of the service. */
  readonly service: string;
}

/** The body of `GET /queue`: what waits and what runs of the tools that the caller may call. */
export async function queueAnswer({ executor, tools, caller, service }: QueueRequest): Promise<JsonObject> {
  const names = tools.filter(({ definition }) => sees(caller?.scopes, definition.scopes)).map(({ name }) => name);
  const figures = await queueOf({ jobs: executor.jobs, store: executor.store, tools: names });
  return queueBody([{ key: serviceKey(service), tools: figures }]);
}
