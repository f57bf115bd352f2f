import { isObject } from "../base/is-object.ts";
import { areItems } from "../base/item-list.ts";
import { askService, serviceAddress } from "../call/ask-service.ts";
import { printJson, printRow, sayLine } from "../base/output.ts";
import { type Arguments, UsageError, type CommandHelp, withArguments } from "../base/usage.ts";

const noQueue = "has no queue that tells of its jobs: is this a tenon service?";
const noLimit = "has no such tool with a limit. A tool has one by @limit in its comment.";

export const help: CommandHelp = {
  usage: "tenon queue [drain|cancel <tool> [key]] [options]",
  summary:
    "Lists how many jobs of a running service wait and run, by tool, and the keys of limits with the longest lines. Drains a key: cancels what waits for its turn, and lets the others end; or cancels them all. The key is its value, or as it is listed.",
  options: {
    url: { type: "string", value: "URL", help: "where the service listens, default http://127.0.0.1:8090" },
    json: { type: "boolean", help: "print data as JSON" },
  },
  examples: ["tenon queue --url https://orders.example", "tenon queue drain pay acct-17"],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 3, carryOut);
}

interface Figures {
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  readonly held?: number;
}

interface Queue {
  readonly services: Readonly<Record<string, { readonly tools: Readonly<Record<string, Figures>> }>>;
  readonly limits?: readonly Line[];
}

interface Line {
  readonly tool: string;
  readonly limit: string;
  readonly key?: string;
  readonly held: number;
  readonly "oldest-held-seconds": number;
}

interface Cleared {
  readonly cancelled: { readonly held: number; readonly running: number };
}

function isQueue(value: unknown): value is Queue {
  return (
    isObject(value) &&
    isObject(value["services"]) &&
    Object.values(value["services"]).every(hasTools) &&
    (value["limits"] === undefined || areItems(value["limits"]))
  );
}

function hasTools(service: unknown): boolean {
  return isObject(service) && isObject(service["tools"]) && Object.values(service["tools"]).every(isObject);
}

function isCleared(value: unknown): value is Cleared {
  return isObject(value) && isObject(value["cancelled"]);
}

async function carryOut(given: Arguments): Promise<number> {
  const [action, tool, key] = given.positionals;
  const base = serviceAddress(given.text("url"));
  if (action === undefined) {
    const queue = await askService(base, "/queue", { missing: noQueue, isForm: isQueue });
    if (given.flag("json")) printJson(queue);
    else print(queue);
    return 0;
  }
  if ((action !== "drain" && action !== "cancel") || tool === undefined) throw new UsageError(`Usage: ${help.usage}`);
  const query = new URLSearchParams({
    ...(key !== undefined && { key }),
    ...(action === "cancel" && { running: "true" }),
  });
  const path = `/queue/${encodeURIComponent(tool)}?${query.toString()}`;
  const cleared = await askService(base, path, { missing: noLimit, isForm: isCleared, method: "DELETE" });
  if (given.flag("json")) printJson(cleared);
  else {
    const { held, running } = cleared.cancelled;
    const begun = action === "cancel" ? `, ${running} that had begun` : "";
    sayLine(`Cancelled: ${held} that waited for their turn${begun}.`);
  }
  return 0;
}

function print({ services, limits = [] }: Queue): void {
  for (const { tools } of Object.values(services)) {
    for (const [name, { waiting, running, dead, held = 0 }] of Object.entries(tools)) {
      const others = `${dead === 0 ? "" : `, ${dead} dead`}${held === 0 ? "" : `, ${held} held by a limit`}`;
      printRow(`${name}  ${running} running, ${waiting} waiting${others}`);
    }
  }
  for (const { tool, limit, key, held, ...line } of limits)
    printRow(`  ${key ?? `${tool} ${limit}`}  ${held} held, the first for ${line["oldest-held-seconds"]} s`);
}
