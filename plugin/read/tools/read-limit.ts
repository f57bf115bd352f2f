import type { LimitKey, LimitModel, RateModel, DebounceModel } from "../../model/tool.ts";
import type { ObjectType } from "../../model/type.ts";
import type { Place } from "../base/reading.ts";
import type { Doc, DocTag } from "../base/tsdoc.ts";
import type { TypeContext } from "../base/type-context.ts";
import { tagPlace } from "../comments/doc-text.ts";
import { checkDebounce, checkPair, type LimitModels } from "./check-limits.ts";
import { readLimitKey } from "./read-limit-key.ts";
import { reportForm } from "./report-form.ts";
import { parseDuration } from "../../../runtime/contract/duration.ts";

const form = /^(.+?)(?:\s+per\s+(\S+))?(?:\s+max\s+(.+))?$/;
/** Minimum milliseconds of a debounce. */
const shortest = 50;
const longest = 86_400_000;

/** Maximum number of jobs at a time. It is bounded because the end of a job counts all running jobs of its key. */
const mostJobs = 10_000;
const mostStarts = 1_000_000;
const limitForm = /^(\d+)(?:\s+per\s+(\S+))?(?:\s+(refuse|replace))?$/;
const rateForm = /^(\d+)\s*\/\s*([a-z]+)(?:\s+per\s+(\S+))?(?:\s+burst\s+(\d+))?(?:\s+(refuse))?$/;
const times = { s: 1000, min: 60_000, h: 3_600_000, day: 86_400_000 } as const;
/** Other names of times that authors may write, with the supported ones. */
const otherTimes: Readonly<Record<string, RateModel["each"]>> = {
  sec: "s",
  second: "s",
  m: "min",
  minute: "min",
  hr: "h",
  hour: "h",
  d: "day",
};
/**
 * Minimum milliseconds between two starts, because of the resolution of timers. A faster rate starts several jobs at
 * once.
 */
const leastTurn = 20;
const mostInSecond = 1000;

/** Parts of a tool to which its limits refer: the request, and the tags of the comment that describe parameters. */
interface Said {
  readonly place: Place;
  readonly others: ReadonlySet<DocTag>;
}

/** Reads `@limit`, `@rate` and `@debounce` of a tool. Their paths are checked against the type of the request. */
export function readLimits(
  context: TypeContext,
  doc: Doc,
  request: ObjectType | undefined,
  { place, others }: Said,
): LimitModels {
  const find = (name: string): DocTag | undefined => doc.tags.find((tag) => tag.name === name && !others.has(tag));
  const [limitTag, rateTag] = [find("limit"), find("rate")];
  const keyOf = (per: string | undefined, at: Place): LimitKey | undefined =>
    per === undefined ? {} : readLimitKey(context, per, request, at);
  const limit = limitTag && readLimit(context, limitTag, tagPlace(limitTag, place), keyOf);
  const rate = rateTag && readRate(context, rateTag, tagPlace(rateTag, place), keyOf);
  const debounceTag = find("debounce");
  const debounce = debounceTag && readDebounce(context, debounceTag, tagPlace(debounceTag, place), keyOf);
  const said = { ...(limit !== undefined && { limit }), ...(rate !== undefined && { rate }) };
  if (rateTag !== undefined) checkPair(context, said, tagPlace(rateTag, place));
  if (debounceTag === undefined || debounce === undefined) return said;
  checkDebounce(context, said, debounce, tagPlace(debounceTag, place));
  return { ...said, debounce };
}

type KeyOf = (per: string | undefined, at: Place) => LimitKey | undefined;

function readLimit(context: TypeContext, tag: DocTag, at: Place, keyOf: KeyOf): LimitModel | undefined {
  const [, number, per, beyond] = limitForm.exec(tag.text.trim()) ?? [];
  const jobs = Number(number);
  if (!(jobs >= 1 && jobs <= mostJobs)) {
    reportForm(
      context,
      tag,
      at,
      `it takes a number of jobs from 1 to ${mostJobs}, for each key \`per request.field\`, \`per caller\` or ` +
        "`per caller.client`, and `refuse` or `replace` where others do not wait.",
      "write it as `@limit 4` or `@limit 1 per request.account`",
    );
    return undefined;
  }
  const key = keyOf(per, at);
  if (key === undefined) return undefined;
  return { jobs, ...key, beyond: beyond === "refuse" || beyond === "replace" ? beyond : "wait" };
}

function readRate(context: TypeContext, tag: DocTag, at: Place, keyOf: KeyOf): RateModel | undefined {
  const [, number, time = "", per, burst, refuse] = rateForm.exec(tag.text.trim()) ?? [];
  const starts = Number(number);
  const each = Object.hasOwn(times, time) ? (time as RateModel["each"]) : undefined;
  const isFast = each !== undefined && starts / times[each] > mostInSecond / 1000;
  const isOdd = burst !== undefined && !(Number(burst) >= 1 && Number(burst) <= mostJobs);
  if (!(starts >= 1 && starts <= mostStarts) || each === undefined || isFast || isOdd) {
    const name = time.length > 1 ? time.replace(/s$/, "") : time;
    const meant = Object.hasOwn(otherTimes, name) ? otherTimes[name] : undefined;
    reportForm(
      context,
      tag,
      at,
      isFast
        ? `more than ${mostInSecond} starts in a second are more than a store lets in one by one.`
        : `it takes starts in a time such as \`100/min\` (\`s\`, \`min\`, \`h\`, \`day\`), for each key ` +
            "`per request.field`, `per caller` or `per caller.client`, " +
            `\`burst\` with a number from 1 to ${mostJobs}, and \`refuse\` where others do not wait.`,
      meant === undefined || isOdd
        ? "write it as `@rate 100/min` or `@rate 10/s per request.account burst 20`"
        : `write \`${number}/${meant}\``,
    );
    return undefined;
  }
  const key = keyOf(per, at);
  if (key === undefined) return undefined;
  const atOnce = Math.max(1, Math.ceil((leastTurn * starts) / times[each]));
  return { starts, each, ...key, burst: Number(burst ?? atOnce), beyond: refuse === undefined ? "wait" : "refuse" };
}

/** Reads a `@debounce`. */
function readDebounce(
  context: TypeContext,
  tag: DocTag,
  at: Place,
  keyOf: (per: string | undefined, at: Place) => LimitKey | undefined,
): DebounceModel | undefined {
  const [, time = "", per, end] = form.exec(tag.text.trim()) ?? [];
  const wait = parseDuration(time) ?? 0;
  const most = end === undefined ? undefined : (parseDuration(end) ?? 0);
  const isShort = most !== undefined && most > 0 && most < wait;
  if (!(wait >= shortest && wait <= longest) || isShort || (most !== undefined && !(most > 0 && most <= longest))) {
    reportForm(
      context,
      tag,
      at,
      isShort
        ? "`max` counts from the first request on, and is not shorter than the time after the last one."
        : "it takes a time from 50 ms to a day such as `5s`, for each key `per request.field`, `per caller` or " +
            "`per caller.client`, and `max` with the time after which the last request runs all the same.",
      "write it as `@debounce 5s per request.document max 1m`",
    );
    return undefined;
  }
  const key = keyOf(per, at);
  return key && { wait, ...(most !== undefined && { most }), ...key };
}
