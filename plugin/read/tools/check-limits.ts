import type { DebounceModel, LimitKey, LimitModel, RateModel } from "../../model/tool.ts";
import { report, type Place } from "../base/reading.ts";
import type { TypeContext } from "../base/type-context.ts";

/** The limits of a tool: `@limit`, `@rate` and `@debounce`. */
export interface LimitModels {
  readonly limit?: LimitModel;
  readonly rate?: RateModel;
  readonly debounce?: DebounceModel;
}

interface Mistake {
  readonly message: string;
  readonly fix: string;
}

/**
 * Checks that `@limit` and `@rate` of a tool have the same key: its jobs wait in one queue, which counts by one key.
 */
export function checkPair(context: TypeContext, { limit, rate }: LimitModels, place: Place): void {
  if (limit === undefined || rate === undefined) return;
  const mistake =
    keyMistake(limit, rate, "`@limit`", "`@rate`") ??
    (limit.beyond === "replace"
      ? {
          message: "`@limit` replaces the oldest job, and a new one would have to wait for `@rate` all the same.",
          fix: "leave `replace` out",
        }
      : limit.beyond !== rate.beyond
        ? {
            message: `A job above \`@${limit.beyond === "wait" ? "limit" : "rate"}\` waits, one above the other is refused.`,
            fix: "write `refuse` at both, or at neither",
          }
        : undefined);
  if (mistake !== undefined) report(context.reading, { code: "TN136", place, ...mistake });
}

/** Checks that a `@debounce` fits the other limits of the tool, since a job that it delays is already accepted. */
export function checkDebounce(
  context: TypeContext,
  { limit, rate }: LimitModels,
  debounce: DebounceModel,
  place: Place,
): void {
  const [other, name] = limit === undefined ? [rate, "`@rate`"] : [limit, "`@limit`"];
  if (other === undefined) return;
  const mistake =
    keyMistake(other, debounce, name, "`@debounce`") ??
    (other.beyond === "wait"
      ? undefined
      : {
          message: `A job that waits for \`@debounce\` has been taken, and ${name} would ${other.beyond} it later.`,
          fix: `leave \`${other.beyond}\` out`,
        });
  if (mistake !== undefined) report(context.reading, { code: "TN136", place, ...mistake });
}

function keyMistake(one: LimitKey, other: LimitKey, name: string, otherName: string): Mistake | undefined {
  if (one.per === other.per) return undefined;
  const whose = ({ per }: LimitKey): string => (per === undefined ? "all jobs of the tool" : `by \`${per}\``);
  const both = one.per === undefined ? "no `per`" : `\`per ${one.per}\``;
  return {
    message: `${name} counts ${whose(one)}, and ${otherName} ${whose(other)}: a job waits in one queue.`,
    fix: `write ${both} at both, or count in two tools of which one calls the other`,
  };
}
