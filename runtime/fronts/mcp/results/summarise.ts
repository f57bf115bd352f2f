import { isRecord } from "../port/message-shape.ts";

/** A result of up to this many characters is its own summary. */
const shortEnough = 200;
const maxText = 60;
const maxFields = 20;

/** Summarises a result whose whole is in the structured content: short values are shown, long ones counted. */
export function summarise(value: unknown, json: string): string {
  if (json.length <= shortEnough) return json;
  if (!isRecord(value)) return sketch(value);
  const fields = Object.entries(value).filter(([name]) => name !== "$schema");
  const shown = fields.slice(0, maxFields).map(([name, field]) => `${name}: ${sketch(field)}`);
  const left = fields.length - shown.length;
  return [...shown, ...(left > 0 ? [`\u2026 and ${left} more`] : [])].join("\n");
}

function sketch(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
  if (isRecord(value)) {
    const count = Object.keys(value).length;
    return count === 1 ? "1 field" : `${count} fields`;
  }
  if (typeof value !== "string") return String(value);
  // By code points, so that no character is cut in half.
  const points = Array.from(value);
  return JSON.stringify(points.length <= maxText ? value : `${points.slice(0, maxText - 1).join("")}\u2026`);
}
