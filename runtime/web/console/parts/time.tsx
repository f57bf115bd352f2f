import type { VNode } from "preact";

/** Formats a date or a time in the user's language, with the zone; undefined for any other text. */
export function timeOf(text: string, format: string | undefined, locale?: string): VNode | undefined {
  const time = new Date(text);
  if (!format?.startsWith("date") || Number.isNaN(time.getTime())) return undefined;
  const style: Intl.DateTimeFormatOptions =
    format === "date" ? { dateStyle: "medium", timeZone: "UTC" } : { dateStyle: "medium", timeStyle: "long" };
  return (
    <time class="time" dateTime={text} title={text}>
      {time.toLocaleString(locale, style)}
    </time>
  );
}
