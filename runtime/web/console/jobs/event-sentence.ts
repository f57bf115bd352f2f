import { ownEventText } from "../../../base/own-event.ts";
import { cut } from "../base/format.ts";
import { asText, isRecord, toJson } from "../base/json.ts";
import type { JobEvent } from "../client/backend.ts";

/** Maximum characters of a sentence. */
const longest = 300;

/** The type of an event in a word: `step.start`, `status`, or the last part of the URN of an author's event. */
export function typeOf({ type, data }: JobEvent): string {
  const schema = asText(data["$schema"])?.replace(/^.*:(?:service\.event\.)?|\.\d+$/g, "");
  return schema || type.replace("platform.job.", "");
}

/** Words for what events are about, by their types. */
const subjects = new Map([
  ["generic", "report"],
  ["error", "error"],
  ["status", "job"],
  ["result", "job"],
]);

/** Says in a word what an event is about, by its type. The sentence of an author's own event has its type. */
export function subjectOf(type: string): string {
  return type.startsWith("step.") ? "step" : (subjects.get(type) ?? "event");
}

/** Says in a sentence what an event reports, with its main fields. */
export function sentenceOf({ type, data }: JobEvent): string {
  return cut(type === "platform.job.event" ? reported(data) : ofJob(type, data), longest);
}

type Fields = Readonly<Record<string, unknown>>;

function reported(data: Fields): string {
  const own = ownEventText(data);
  if (own !== undefined) return own;
  const { $schema: schema, name, context, options, error, timestamp: _, sequence: __, ...others } = data;
  // A call `step.info("words")` has a text instead of fields.
  const fields = isRecord(options) ? options : (options ?? undefined) !== undefined && { message: options };
  const { message, key, try: turn, ...rest }: Fields = { ...others, ...fields };
  const step = `${name ?? context ?? ""}${key === undefined ? "" : `[${String(key)}]`}`;
  const more = [message ?? error ?? "", toJson(rest).replace(/^\{\}$/, "")].filter((part) => part !== "").join(" ");
  const kind = /step\.(\w+)\.\d+$/.exec(String(schema))?.[1];
  const begins = kind === "start" ? `${step} began${turn ? `, try ${String(turn)}` : ""}` : undefined;
  const said = begins ?? (kind === "finish" ? `${step} ended` : error === undefined ? step : `${step} failed`.trim());
  // Progress of a step, which has no other text.
  const { progress, percent = progress, ...none } = rest;
  if (said === step && message === undefined && typeof percent === "number" && Object.keys(none).length === 0)
    return `${step} is at ${Math.round(percent)} %`;
  return more === "" ? said : `${said}: ${more}`;
}

/** Words for the states of a job. */
const states: Readonly<Record<string, string>> = {
  pending: "waits",
  executing: "runs",
  succeeded: "succeeded",
  failed: "refused its request",
  error: "ended with an error",
  cancelled: "was cancelled",
};

function ofJob(type: string, data: Fields): string {
  if (type === "platform.job.result") return `The result is there: ${asText(data["content-type"]) ?? "of no type"}`;
  const state = asText(data["status"]) ?? "";
  const attempt = Number(data["attempt"] ?? 1);
  const message = asText(data["error-message"]);
  const said = `The job ${Object.hasOwn(states, state) ? states[state] : state}`;
  return `${said}${attempt > 1 ? `, attempt ${attempt}` : ""}${message === undefined ? "" : `: ${message}`}`;
}
