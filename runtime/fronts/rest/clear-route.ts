import { ToolError } from "../../base/errors.ts";
import { clearKey } from "../../executor/clear-key.ts";
import type { Executor } from "../../executor/executor.ts";
import { lineName } from "../../job/limits/job-limit.ts";
import { keyNamed } from "../../job/limits/limits-of.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import { operates } from "../http/operator.ts";
import type { Asked } from "./job-routes.ts";

/**
 * Answers `DELETE /queue/{tool}`: cancels the waiting jobs of a limit's key, with `?running=true` also the running
 * ones. If callers are authenticated, only the caller's own jobs, unless it is an operator.
 */
export async function answerClear(
  executor: Pick<Executor, "store" | "cancel">,
  { name, definition: { limit, rate, debounce, scopes } }: Tool,
  { exchange, caller }: Asked,
): Promise<Answer> {
  if (scopes !== undefined) caller?.require(scopes);
  const query = new URLSearchParams(exchange.query);
  const [value, running = "false"] = [query.get("key"), query.get("running") ?? undefined];
  if (running !== "true" && running !== "false")
    throw new ToolError("bad-request", "The parameter running is true or false.");
  const first = limit ?? rate ?? debounce;
  if (first === undefined) throw new ToolError("not-found", `The tool ${name} has no limit, so no jobs wait for one.`);
  const { per } = first;
  if (per !== undefined && value === null)
    throw new ToolError("bad-request", `Name the value of ${per} with ?key=, or a key as GET /queue lists it.`);
  const key = per === undefined ? name : keyNamed(name, per, value ?? "");
  const { held, begun } = await clearKey(executor, {
    key,
    isAll: running === "true",
    reason: "An operator cancelled the jobs of this key.",
    of: operates(caller) ? undefined : { owner: caller?.owner },
  });
  const body = { tool: name, limit: lineName(key), cancelled: { held, running: begun } };
  return jsonAnswer(body, 200, ["Cache-Control", "no-store"]);
}
