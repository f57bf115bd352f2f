import { asRecord, asText } from "../base/json.ts";

/** An event of a job's stream. */
export interface JobEvent {
  /** Its place in the stream; NaN where the stream does not tell. */
  readonly number: number;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** The envelope as it came. */
  readonly raw: unknown;
}

/** Reads an event's envelope. */
export function readEvent(raw: unknown): JobEvent {
  const { type, timestamp, data, SeqID } = asRecord(raw);
  const body = asRecord(data);
  const at = Date.parse(asText(body["timestamp"]) ?? asText(timestamp) ?? "");
  return { number: Number(SeqID), type: asText(type) ?? "", at: Number.isNaN(at) ? Date.now() : at, data: body, raw };
}

/** The last part of an event's schema: `start`, `finish`, `error`, `generic`, or of the author's own. */
export function kindOf({ data }: JobEvent): string {
  return /([\w-]+)\.\d+$/.exec(asText(data["$schema"]) ?? "")?.[1] ?? "";
}
