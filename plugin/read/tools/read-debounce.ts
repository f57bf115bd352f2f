import { parseDuration } from "../../../runtime/contract/duration.ts";
import type { DebounceModel, LimitKey } from "../../model/limit.ts";
import type { Place } from "../base/reading.ts";
import type { DocTag } from "../base/tsdoc.ts";
import type { TypeContext } from "../base/type-context.ts";
import { reportForm } from "./report-form.ts";

const form = /^(.+?)(?:\s+per\s+(\S+))?(?:\s+max\s+(.+))?$/;
/** Minimum milliseconds of a debounce. */
const shortest = 50;
const longest = 86_400_000;

/** Reads a `@debounce`. */
export function readDebounce(
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
