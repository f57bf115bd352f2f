import { recordIn, textIn } from "../base/json.ts";
import { pause, resultOf, type Ask } from "./host.ts";
import type { JsonObject } from "./wire.ts";

interface TaskProps extends Pick<Ask, "signal" | "tell"> {
  readonly send: (ask: Ask) => Promise<JsonObject>;
  /** Asks the user each question of the task. */
  readonly answersTo: (requests: JsonObject, signal?: AbortSignal) => Promise<JsonObject>;
}

/** Follows a call that has become a task to its end, and answers its questions. */
export async function followTask(taskId: string, { signal, tell, send, answersTo }: TaskProps): Promise<JsonObject> {
  const about = (method: string, more = {}): Promise<JsonObject> => send({ method, params: { taskId, ...more } });
  const answered = new Set<string>();
  let said = "";
  try {
    for (;;) {
      const task = await about("tasks/get");
      const line = `task ${textIn(task, "status")} ${textIn(task, "statusMessage") ?? ""}`;
      if (line !== said) tell?.((said = line));
      if (task["result"] !== undefined) return recordIn(task, "result");
      if (task["error"] !== undefined) return resultOf(task);
      if (task["status"] === "cancelled") throw new Error("The task was cancelled.");
      const open = Object.entries(recordIn(task, "inputRequests")).filter(([key]) => !answered.has(key));
      if (open.length > 0) {
        const inputResponses = await answersTo(Object.fromEntries(open), signal);
        for (const [key] of open) answered.add(key);
        await about("tasks/update", { inputResponses });
      }
      // The poll interval is that of the service, but at most a second, since a user is waiting.
      await pause(Math.min(Number(task["pollIntervalMs"]) || 1000, 1000), signal);
      if (signal?.aborted === true) throw new Error("The task was cancelled.");
    }
  } catch (error) {
    await about("tasks/cancel").catch(() => {});
    throw error;
  }
}
