import { parseDuration } from "../../../runtime/contract/duration.ts";
import { firingTimes } from "../../../runtime/contract/firing-times.ts";
import { nearestName } from "../../../runtime/contract/nearest-name.ts";
import type { ScheduleModel } from "../../model/tool.ts";
import type { ObjectType } from "../../model/type.ts";
import { report, type Place } from "../base/reading.ts";
import type { Doc, DocTag } from "../base/tsdoc.ts";
import type { TypeContext } from "../base/type-context.ts";
import { tagPlace } from "../comments/doc-text.ts";
import { constantOf } from "./read-ask-tags.ts";
import { requestMisfit } from "./request-misfit.ts";

/** Reason why a schedule is not valid, and the correction. */
interface Mistake {
  readonly code?: "TN131";
  readonly why: string;
  readonly fix?: string;
}

const words = {
  missed: ["one", "skip", "all"],
  overlap: ["skip", "queue", "cancel", "allow"],
} as const;
const optionNames = [...Object.keys(words), "jitter"];
const longestJitter = 86_400_000;

const form: Mistake = {
  why: "it takes a cron expression in quotes, and behind it a time zone, a request as JSON, and options",
  fix: 'write it as `@schedule "0 3 * * 1-5" Europe/Zurich {"account": "house"} overlap=queue`',
};

/** Reads the `@schedule`s of a tool. */
export function readScheduleTags(
  context: TypeContext,
  doc: Doc,
  request: ObjectType | undefined,
  { place, others }: { readonly place: Place; readonly others: ReadonlySet<DocTag> },
): readonly ScheduleModel[] {
  const tags = doc.tags.filter((tag) => tag.name === "schedule" && !others.has(tag));
  return tags.flatMap((tag) => {
    const read = readSchedule(context, request, tag.text.trim());
    if (!("why" in read)) return [read];
    report(context.reading, {
      code: read.code ?? "TN130",
      place: tagPlace(tag, place),
      message: `\`@schedule\` is not valid: ${read.why}.`,
      ...(read.fix !== undefined && { fix: read.fix }),
    });
    return [];
  });
}

function readSchedule(context: TypeContext, request: ObjectType | undefined, text: string): ScheduleModel | Mistake {
  const { head, options } = splitOptions(text);
  const [, expression, zone = "UTC", json] = /^"([^"\n]+)"(?:\s+([^\s{"]+))?(?:\s+(\{[\s\S]*))?$/.exec(head) ?? [];
  if (expression === undefined) return form;
  // Unescapes `*\/`, since `*/` would end the comment.
  const cron = expression.replaceAll("*\\/", "*/");
  const mistake = timesMistake(cron, zone);
  if (mistake !== undefined) return mistake;
  const value = json === undefined ? {} : constantOf(json);
  if (value === undefined)
    return { why: "its request is not JSON", fix: "write the request of the jobs in its wire form" };
  const misfit = requestMisfit(context, request, value);
  if (misfit !== undefined) return { why: misfit, fix: "write the request of the jobs in its wire form" };
  const given = readOptions(options);
  if ("why" in given) return given;
  return { cron, zone, ...(request !== undefined && { request: value }), ...given };
}

/** The options at the end of a text: `name=value`, in any order. */
function splitOptions(text: string): {
  readonly head: string;
  readonly options: readonly (readonly [string, string])[];
} {
  const options: (readonly [string, string])[] = [];
  let head = text;
  for (;;) {
    const found = /\s([^\s"'{}=:]+)=([^\s"'{}=:]*)$/.exec(head);
    if (found === null) return { head, options };
    options.unshift([found[1] ?? "", found[2] ?? ""]);
    head = head.slice(0, found.index).trimEnd();
  }
}

function timesMistake(cron: string, zone: string): Mistake | undefined {
  try {
    const next = firingTimes({ cron, zone }).after(Date.UTC(2020, 0, 1));
    if (next !== undefined) return undefined;
    return { code: "TN131", why: `\`${cron}\` fits no day that exists`, fix: "write a day that comes" };
  } catch (error) {
    if (!isZone(zone)) return zoneMistake(zone);
    const why = (error instanceof Error ? error.message : String(error)).replace(/^CronPattern: /, "");
    return {
      why: `\`${cron}\` is not a cron expression (${why})`,
      fix: "write minute, hour, day, month and day of the week",
    };
  }
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function zoneMistake(zone: string): Mistake {
  const meant = nearestName(zone, Intl.supportedValuesOf("timeZone"));
  return {
    why: `there is no time zone \`${zone}\``,
    fix: meant === undefined ? "write its name as in `Europe/Zurich`, or leave it out for UTC" : `write \`${meant}\``,
  };
}

function readOptions(
  given: readonly (readonly [string, string])[],
): Pick<ScheduleModel, "missed" | "overlap" | "jitter"> | Mistake {
  const found: { missed: string; overlap: string; jitter?: number } = { missed: "one", overlap: "skip" };
  const seen = new Set<string>();
  for (const [name, value] of given) {
    if (!optionNames.includes(name)) {
      const meant = nearestName(name, optionNames);
      const fix = meant === undefined ? `its options are ${optionNames.join(", ")}` : `write \`${meant}=${value}\``;
      return { why: `it has no option \`${name}\``, fix };
    }
    if (seen.has(name)) return { why: `\`${name}\` is given twice`, fix: "keep one" };
    seen.add(name);
    if (name === "jitter") {
      const jitter = parseDuration(value) ?? 0;
      if (jitter <= 0 || jitter > longestJitter) return { why: "`jitter` takes a time of up to a day, such as `30s`" };
      found.jitter = jitter;
      continue;
    }
    const known: readonly string[] = words[name as keyof typeof words];
    if (!known.includes(value)) return { why: `\`${name}\` takes ${listed(known)}` };
    found[name as keyof typeof words] = value;
  }
  if (found.missed === "all" && !["queue", "allow"].includes(found.overlap))
    return {
      why: "`missed=all` would start jobs that end one another",
      fix: "add `overlap=queue`, or `overlap=allow` where they may run side by side",
    };
  return found as Pick<ScheduleModel, "missed" | "overlap" | "jitter">;
}

function listed(known: readonly string[]): string {
  return `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
}
