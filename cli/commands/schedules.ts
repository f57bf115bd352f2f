import { isObject } from "../base/is-object.ts";
import { isItemList } from "../base/item-list.ts";
import { askService, serviceAddress } from "../call/ask-service.ts";
import { paint, printJson, printRow, sayLine } from "../base/output.ts";
import { type Arguments, UsageError, type CommandHelp, withArguments } from "../base/usage.ts";

/** Error text for a service without such a schedule. */
const missing = "has no such schedule. A tool has one by @schedule in its comment.";

export const help: CommandHelp = {
  usage: "tenon schedules [pause|resume <tool> [number]] [options]",
  summary:
    "Lists when the tools of a running service start by themselves: next, last and last job. Pauses a schedule, or lets it go on with its next firing; the number is its place among the schedules of its tool, default 1.",
  options: {
    url: { type: "string", value: "URL", help: "where the service listens, default http://127.0.0.1:8090" },
    json: { type: "boolean", help: "print data as JSON" },
  },
  examples: ["tenon schedules --url https://orders.example", "tenon schedules pause pay 2"],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 3, carryOut);
}

interface Schedule {
  readonly tool: string;
  readonly number: number;
  readonly cron: string;
  readonly zone: string;
  readonly paused: boolean;
  readonly next?: string;
  readonly last?: string;
  readonly "last-job"?: { readonly id: string; readonly status?: string };
}

function isSchedule(value: unknown): value is Schedule {
  return isObject(value) && typeof value["tool"] === "string";
}

function isScheduleList(value: unknown): value is { readonly items: readonly Schedule[] } {
  return isItemList(value) && value.items.every(isSchedule);
}

async function carryOut(given: Arguments): Promise<number> {
  const [action, tool, number = "1"] = given.positionals;
  const base = serviceAddress(given.text("url"));
  if (action === undefined) {
    const { items } = await askService(base, "/schedules", { missing, isForm: isScheduleList });
    if (given.flag("json")) printJson(items);
    else for (const schedule of items) printRow(rowOf(schedule));
    return 0;
  }
  if ((action !== "pause" && action !== "resume") || tool === undefined) throw new UsageError(`Usage: ${help.usage}`);
  if (!/^[1-9]\d{0,3}$/.test(number)) throw new UsageError("The number of a schedule is a whole number from 1");
  const body = JSON.stringify(action === "pause");
  const headers = { "content-type": "application/json" };
  const path = `/schedules/${encodeURIComponent(tool)}/${number}/paused`;
  const schedule = await askService(base, path, { missing, isForm: isSchedule, method: "PUT", headers, body });
  if (given.flag("json")) printJson(schedule);
  else sayLine(rowOf(schedule));
  return 0;
}

function rowOf({ tool, number, cron, zone, paused, next, last, ...schedule }: Schedule): string {
  const job = schedule["last-job"];
  const was = last === undefined ? "" : `  last ${last} ${job?.status ?? ""}`.trimEnd();
  const when = paused ? paint("yellow", "paused") : `next ${next ?? "never"}`;
  return `${tool} ${number}  "${cron}" ${zone}  ${when}${was}`;
}
