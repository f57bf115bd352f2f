import { isObject } from "../base/is-object.ts";
import { visibleLine } from "../../runtime/base/visible-text.ts";
import { ownEventText } from "../../runtime/base/own-event.ts";

/** One line for people, for example `● factorise  Checking 997`. */
export function describeEvent(event: Readonly<Record<string, unknown>>): string {
  // Progress of an MCP server that is not a tenon service.
  if (event["$schema"] === undefined && "progress" in event) {
    return visibleLine(`· ${event["message"] ?? event["progress"]}`);
  }
  const own = ownEventText(event);
  if (own !== undefined) return visibleLine(`· ${own}`);
  const kind = String(event.$schema);
  const mark = kind.includes("step.start")
    ? "●"
    : kind.includes("step.finish")
      ? "✓"
      : kind.includes("error")
        ? "✗"
        : "·";
  const { options } = event;
  // A call `step.info("words")` has a text instead of fields.
  const { message, ...rest } = (isObject(options) ? options : { message: options ?? undefined }) as Record<
    string,
    unknown
  >;
  const more = Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
  const parts = [mark, event.name ?? event.context ?? "", message ?? event.error ?? "", more];
  return visibleLine(parts.filter((part) => part !== "").join(" "));
}
