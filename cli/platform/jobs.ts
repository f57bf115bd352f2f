import type { JsonValue } from "../../runtime/contract/contract.ts";
import { createRedactor } from "../../runtime/telemetry/log/redact.ts";
import { paint, printJson, printRow, say } from "../base/output.ts";
import { UsageError, withArguments, type Arguments, type CommandHelp } from "../base/usage.ts";
import type { Item } from "../base/item-list.ts";
import { askItem, askOptions, asker, listItems, findJob, type Ask } from "./ask.ts";
import { durationOf } from "./durations.ts";
import { askDeadLetters, printDeadLetters } from "./dead-letters.ts";

const states: readonly string[] = ["pending", "executing", "succeeded", "failed", "error", "cancelled"];

export const help: CommandHelp = {
  usage: "tenon platform jobs [job] [options]",
  summary: "Lists jobs, the latest first; with an id everything about that job.",
  options: {
    ...askOptions,
    service: { type: "string", value: "NAME", help: "jobs of this service only" },
    status: { type: "string", value: "STATUS", help: "pending, executing, succeeded, failed, error or cancelled" },
    limit: { type: "string", value: "N", help: "how many at most, default 20" },
    dead: { type: "boolean", help: "dead letters only, with the end of their last workers" },
    cancel: { type: "boolean", help: "cancel the job" },
  },
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const ask = asker(given);
  if (given.flag("dead")) {
    printDeadLetters(await askDeadLetters(ask), given.flag("json"));
    return 0;
  }
  const [named] = given.positionals;
  if (named !== undefined) {
    const path = `/jobs/${encodeURIComponent(await findJob(ask, named))}`;
    if (given.flag("cancel")) printJson(await askItem(ask, path, { method: "DELETE" }));
    else printJson({ ...(await askItem(ask, path)), ...(await requestOf(ask, path)) });
    return 0;
  }
  if (given.flag("cancel")) throw new UsageError("Name the job to cancel");
  const limit = Number(given.text("limit") ?? 20);
  if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError("--limit must be a whole number from 1");
  const service = given.text("service");
  const status = given.text("status");
  if (status !== undefined && !states.includes(status)) {
    throw new UsageError(`--status is ${JSON.stringify(status)}; it must be one of ${states.join(", ")}`);
  }
  const path = service === undefined ? "/jobs" : `/services2/${encodeURIComponent(service)}/jobs`;
  const found: Item[] = [];
  const query = status === undefined ? "" : `?status=${encodeURIComponent(status)}`;
  for await (const job of listItems(ask, path + query, limit)) found.push(job);
  if (given.flag("json")) printJson(found);
  else if (found.length === 0) say("There are no such jobs.");
  else for (const job of found) printRow(rowOf(job));
  return 0;
}

/** The request of a job without secrets; empty if the platform no longer has it. */
async function requestOf(ask: Ask, path: string): Promise<Item> {
  const response = await ask(`${path}/request`).catch(() => {});
  if (response === undefined) return {};
  const text = await response.text();
  const value = /json/.test(response.headers.get("content-type") ?? "") ? (JSON.parse(text) as JsonValue) : text;
  return createRedactor([]).fields({ request: value });
}

function rowOf(job: Item): string {
  const status = String(job["status"]).padEnd(10);
  const time = String(job["requested-at"] ?? "")
    .slice(0, 19)
    .replace("T", " ");
  const dead = job["dead-letter"] === true ? paint("red", "  dead letter") : "";
  return `${String(job["id"])}  ${status}${time.padEnd(21)}${durationOf(job).padEnd(9)}${serviceOf(job)}${dead}`;
}

/** Names the service, and its tool if the tool has another name. */
function serviceOf({ "service-name": service, tool }: Item): string {
  const isOther = typeof tool === "string" && tool !== service;
  return isOther ? `${String(service)} ${tool}` : String(service);
}
