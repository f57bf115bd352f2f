import { report, type Place } from "../base/reading.ts";
import type { DocTag } from "../base/tsdoc.ts";
import type { TypeContext } from "../base/type-context.ts";

/** Reports a tag whose text does not have the required form. */
export function reportForm(context: TypeContext, { name, text }: DocTag, place: Place, why: string, fix: string): void {
  const shown = text === "" ? "" : ` ${text.split("\n")[0]}`;
  report(context.reading, { code: "TN108", place, message: `\`@${name}${shown}\` is not valid: ${why}`, fix });
}
