import { visibleLine } from "../../runtime/base/visible-text.ts";
import { paint, printBytes, printJson, printRow, printText, sayLine } from "../base/output.ts";
import { otherForm } from "../base/read-answer.ts";
import { UsageError, withArguments, type Arguments, type CommandHelp } from "../base/usage.ts";
import { writeResult } from "../base/write-result.ts";
import { askItem, askOptions, asker, listItems, type Ask } from "./ask.ts";
import { durationOf } from "./durations.ts";
import { openEvents } from "./event-stream.ts";
import { readNamedFile } from "./files.ts";
import { describeNews, describeProblems, shortId } from "./show-events.ts";

export const help: CommandHelp = {
  usage: "tenon platform submit [service] <json|@file> [options]",
  summary:
    "Hands a job in, shows its steps as they happen, and prints its result. The service may be left out when there is only one. Exit code 1 when the job does not succeed.",
  options: {
    ...askOptions,
    tool: { type: "string", value: "NAME", help: "the tool, where a service that is called over REST has several" },
    type: { type: "string", value: "TYPE", help: "content type of the request, default application/json" },
    key: { type: "string", value: "KEY", help: "Idempotency-Key: the same key and request is the same job" },
    output: { type: "string", short: "o", value: "FILE", help: "write the result into a file, bytes as they are" },
    detach: { type: "boolean", short: "d", help: "print the id of the job and do not wait" },
  },
  examples: [`tenon platform submit '{"number": 997}'`, "tenon platform submit is-prime @request.json --json"],
};

/** Milliseconds after which a line says that no worker has taken the job. */
const waitingPatience = 3000;

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 2, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const source = given.positionals.at(-1);
  if (source === undefined) throw new UsageError(`Give the request. Usage: ${help.usage}`);
  const ask = asker(given);
  const service = given.positionals.length === 2 ? (given.positionals[0] ?? "") : await onlyService(ask);
  const tool = given.text("tool");
  const query = tool === undefined ? "" : `?tool=${encodeURIComponent(tool)}`;
  const key = given.text("key");
  const response = await ask(`/services2/${encodeURIComponent(service)}/jobs${query}`, {
    method: "POST",
    headers: {
      "content-type": given.text("type") ?? "application/json",
      ...(key !== undefined && { "idempotency-key": key }),
    },
    body: readRequest(source),
  });
  await response.body?.cancel();
  const id = response.headers.get("platform-job-id");
  if (id === null) throw otherForm(response.url, "platform");
  if (given.flag("detach")) {
    if (given.flag("json")) printJson({ "job-id": id });
    else printRow(id);
    return 0;
  }
  const quiet = given.flag("json");
  if (!quiet) sayLine(`${paint("bold", tool === undefined ? service : `${service} ${tool}`)} ${shortId(id)}`);
  const tell = (line: string): void => sayLine(`  ${line}`);
  const hint = setTimeout(() => void tellWaiting(ask, id, tell), waitingPatience);
  await followJob(ask, id, quiet ? () => {} : tell).finally(() => clearTimeout(hint));
  return printResult(ask, id, quiet, given.text("output"));
}

/** Reports a job that no worker has claimed, since it would otherwise look like a slow job. */
export async function tellWaiting(ask: Ask, id: string, onLine: (line: string) => void): Promise<void> {
  try {
    const { status } = await askItem(ask, `/jobs/${encodeURIComponent(id)}`);
    if (status === "pending") onLine(paint("dim", "waits for a worker; stop with Ctrl-C, the job stays"));
  } catch {
    // The error is ignored, since following the job reports the problem.
  }
}

/** Shows the events of a job until its end. */
export async function followJob(ask: Ask, id: string, onLine: (line: string) => void): Promise<void> {
  for (let last: string | undefined, over = false; !over;) {
    const headers = last === undefined ? {} : { "last-event-id": last };
    const stream = await openEvents(ask, `/jobs/${encodeURIComponent(id)}/events`, headers);
    if (stream === undefined) return;
    for await (const { id: number, event } of stream) {
      last = number ?? last;
      over ||= event.type === "platform.job.status";
      const line = describeNews(event, over ? await tookOf(ask, id) : undefined);
      if (line !== undefined) onLine(line);
    }
  }
}

async function tookOf(ask: Ask, id: string): Promise<string> {
  return durationOf(await askItem(ask, `/jobs/${encodeURIComponent(id)}`));
}

async function printResult(ask: Ask, id: string, json: boolean, file: string | undefined): Promise<number> {
  const record = await askItem(ask, `/jobs/${encodeURIComponent(id)}`);
  if (record["status"] !== "succeeded") {
    if (json) printJson(record["error"]);
    else for (const line of describeProblems(record["error"])) sayLine(`  ${line}`);
    return 1;
  }
  const type = String(record["result-content-type"]);
  const content = record["result-content"];
  const isText = typeof content === "string" && type.startsWith("text/");
  const bytes = typeof content === "string" && !isText ? Buffer.from(content, "base64") : undefined;
  const text = isText ? content : JSON.stringify(content, null, 2);
  if (file !== undefined) writeResult(file, bytes ?? `${text}\n`);
  else if (bytes === undefined) printText(`${text}\n`);
  else printBytes(bytes, type);
  return 0;
}

async function onlyService(ask: Ask): Promise<string> {
  const names: string[] = [];
  for await (const { key } of listItems(ask, "/services2", 20)) names.push(String(key));
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  throw new UsageError(
    names.length === 0
      ? "No service is registered yet: start its worker, or give its service.json to `tenon platform`."
      : `Name the service: ${names.map(visibleLine).join(", ")}`,
  );
}

function readRequest(source: string): Uint8Array<ArrayBuffer> | string {
  return source.startsWith("@") ? readNamedFile(source.slice(1)) : source;
}
