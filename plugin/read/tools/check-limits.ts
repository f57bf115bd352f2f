import type { DebounceModel, LimitKey, LimitModel, RateModel } from "../../model/limit.ts";
import { report } from "../base/reading.ts";
import type { Place } from "../base/reading.ts";
import type { TypeContext } from "../base/type-context.ts";

/** Everything that a tool says of its line. */
export interface LimitModels {
  readonly limit?: LimitModel;
  readonly rate?: RateModel;
  readonly debounce?: DebounceModel;
}

interface Mistake {
  readonly message: string;
  readonly fix: string;
}

/** A job stands in one line, and is counted by one key. */
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

/** The same, with a `@debounce`: a job that waits for another request has been taken. */
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
    message: `${name} counts ${whose(one)}, and ${otherName} ${whose(other)}: a job stands in one line.`,
    fix: `write ${both} at both, or count in two tools of which one calls the other`,
  };
}
