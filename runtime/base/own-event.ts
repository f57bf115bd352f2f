const platformEvents = "urn:platform:schema:service.event.";
/** Maximum characters of an event's fields in a line. */
const longest = 1000;

/**
 * Formats an event of an author's own class in one line: its name, its message and its other fields. The name is the
 * field `name`, else the last part of the URN. Undefined for events of the platform, and for classes with the same
 * fields as platform events.
 */
export function ownEventText(body: Readonly<Record<string, unknown>>): string | undefined {
  const { $schema: schema, timestamp: _timestamp, sequence: _sequence, ...rest } = body;
  if (typeof schema !== "string" || schema.startsWith(platformEvents)) return undefined;
  if ("options" in rest || "error" in rest) return undefined;
  const text = (key: string): string => (typeof rest[key] === "string" ? rest[key] : "");
  const [name, message] = [text("name") || schema.replace(/^.*:/, "").replace(/\.\d+$/, ""), text("message")];
  const fields = Object.entries(rest).filter(([key]) => !/^(?:name|message)$/.test(key) || text(key) === "");
  const more = fields.length === 0 ? "" : JSON.stringify(Object.fromEntries(fields));
  const shown = more.length > longest ? `${more.slice(0, longest)}…` : more;
  return [name, message, shown].filter((part) => part !== "").join(" ");
}
