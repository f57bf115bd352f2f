import { ToolError } from "../../base/errors.ts";
import type { Executor } from "../../executor/executor.ts";
import { ownSchedules } from "../../executor/schedules/own-schedules.ts";
import { scheduleTable } from "../../executor/schedules/schedules.ts";
import { pauseSchedule, shownSchedules } from "../../executor/store/shown-schedules.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import { sees } from "../http/identity.ts";
import { parseJsonBody } from "../http/parse-json.ts";
import { checkJsonHeaders } from "../http/read-body.ts";
import type { Asked } from "./job-routes.ts";

/** Maximum bytes of the body, which is `true` or `false`. */
const bodyLimit = 100;
const notStored = ["Cache-Control", "no-store"] as const;

interface Options {
  readonly tools: readonly Tool[];
  readonly executor: Pick<Executor, "store">;
  /** Name of the service. */
  readonly service: string;
}

/** Answers `GET /schedules`: the schedules of the tools that the caller may call. */
export async function answerSchedules({ tools, executor, service }: Options, { caller }: Asked): Promise<Answer> {
  const visible = tools.filter(({ definition }) => sees(caller?.scopes, definition.scopes));
  return jsonAnswer(
    await shownSchedules({
      store: executor.store,
      table: scheduleTable(executor.store),
      own: ownSchedules(visible),
      service,
    }),
    200,
    notStored,
  );
}

/** Answers `PUT /schedules/{tool}/{number}/paused`, with `true` or `false` as the body. */
export async function answerPause(
  { tools, executor, service }: Options,
  key: { readonly tool: string; readonly number: number },
  { exchange, caller }: Asked,
): Promise<Answer> {
  const scopes = tools.find(({ name }) => name === key.tool)?.definition.scopes;
  if (scopes !== undefined) caller?.require(scopes);
  checkJsonHeaders(exchange);
  const paused = parseJsonBody(
    await new Promise<Buffer>((resolve, reject) => {
      exchange.body(bodyLimit, (refused, body) => (refused === undefined ? resolve(body) : reject(refused)));
    }),
  );
  if (typeof paused !== "boolean") throw new ToolError("bad-request", "The body must be true or false.");
  const schedule = await pauseSchedule(
    { store: executor.store, table: scheduleTable(executor.store), own: ownSchedules(tools), service },
    { ...key, paused },
  );
  return jsonAnswer(schedule, 200, notStored);
}
