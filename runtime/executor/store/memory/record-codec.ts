import type { JobUrn } from "../../../job/job.ts";
import type { JobRecord, StoredOutcome } from "../job-store.ts";

/** The part of a finished job that lists read. */
export type RecordHead = Omit<JobRecord, "id" | "outcome" | "events" | "kept"> & {
  readonly outcome: Head;
  /** True if the job has stored steps or messages. */
  readonly kept?: true;
};

const lengthBytes = 8;

/**
 * Encodes a finished job as bytes: two lengths, a JSON head, its events and stored steps as JSON, then the result.
 * Lists decode only the head. The result stays outside the JSON, because most results are JSON text already and would
 * be escaped.
 */
export function encodeRecord(record: JobRecord): readonly Uint8Array[] {
  const { id: _, outcome, events, kept, ...rest } = record;
  if (outcome === undefined) throw new TypeError("Only a finished job is encoded.");
  const { head, body } = split(outcome);
  const json = Buffer.from(JSON.stringify({ ...rest, outcome: head, kept: kept && true }));
  const more = Buffer.from(JSON.stringify({ events, kept }));
  return [new Uint8Array(Uint32Array.of(json.length, more.length).buffer), json, more, body];
}

/** The inverse of {@link encodeRecord}. */
export function decodeRecord(id: JobUrn, bytes: Buffer): JobRecord {
  const { outcome, kept: _, ...rest } = decodeHead(bytes);
  const start = lengthBytes + bytes.readUInt32LE();
  const end = start + bytes.readUInt32LE(4);
  const more = JSON.parse(bytes.toString("utf8", start, end)) as Pick<JobRecord, "events" | "kept">;
  return { id, ...rest, ...more, outcome: join(outcome, bytes.subarray(end)) };
}

/** Decodes the head of what {@link encodeRecord} made. */
export function decodeHead(bytes: Buffer): RecordHead {
  return JSON.parse(bytes.toString("utf8", lengthBytes, lengthBytes + bytes.readUInt32LE())) as RecordHead;
}

type Head =
  | Exclude<StoredOutcome, { readonly state: "succeeded" }>
  | { readonly state: "succeeded"; readonly kind: "json" | "text" }
  | { readonly state: "succeeded"; readonly kind: "binary"; readonly contentType: string };

function split(outcome: StoredOutcome): { readonly head: Head; readonly body: Uint8Array } {
  if (outcome.state !== "succeeded") return { head: outcome, body: new Uint8Array() };
  const { state, result } = outcome;
  switch (result.kind) {
    case "json":
      return { head: { state, kind: "json" }, body: Buffer.from(result.json) };
    case "text":
      return { head: { state, kind: "text" }, body: Buffer.from(result.text) };
    case "binary":
      return { head: { state, kind: "binary", contentType: result.contentType }, body: result.content };
  }
}

function join(head: Head, body: Buffer): StoredOutcome {
  if (head.state !== "succeeded") return head;
  const { state } = head;
  switch (head.kind) {
    case "json":
      return { state, result: { kind: "json", json: body.toString() } };
    case "text":
      return { state, result: { kind: "text", text: body.toString() } };
    case "binary":
      return { state, result: { kind: "binary", contentType: head.contentType, content: body } };
  }
}
