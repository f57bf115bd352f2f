import { asRecord, asText } from "../base/json.ts";

/** An event of a job's stream. */
export interface JobEvent {
  /** Number of the event in the stream; NaN if the stream does not give one. */
  readonly number: number;
  readonly type: string;
  /** Time of the event in milliseconds since 1970. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** Unchanged envelope of the event. */
  readonly raw: unknown;
}

/** Reads an event's envelope. */
export function readEvent(raw: unknown): JobEvent {
  const { type, timestamp, data, SeqID } = asRecord(raw);
  const body = asRecord(data);
  const at = Date.parse(asText(body["timestamp"]) ?? asText(timestamp) ?? "");
  return { number: Number(SeqID), type: asText(type) ?? "", at: Number.isNaN(at) ? Date.now() : at, data: body, raw };
}

/**
 * Returns the last part of an event's schema: `start`, `finish`, `error`, `generic`, or that of an author's own event.
 */
export function kindOf({ data }: JobEvent): string {
  return /([\w-]+)\.\d+$/.exec(asText(data["$schema"]) ?? "")?.[1] ?? "";
}
