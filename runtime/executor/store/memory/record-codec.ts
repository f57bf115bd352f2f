import type { JobUrn } from "../../../job/job.ts";
import type { JobRecord, StoredOutcome } from "../job-store.ts";

/**
 * Encodes a finished job as bytes: the length of a JSON head, the head, then the result. The result stays outside the
 * JSON, because most results are JSON text already and would be escaped.
 */
export function encodeRecord(record: JobRecord): readonly Uint8Array[] {
  const { id: _, outcome, ...rest } = record;
  if (outcome === undefined) throw new TypeError("Only a finished job is encoded.");
  const { head, body } = split(outcome);
  const json = Buffer.from(JSON.stringify({ ...rest, outcome: head }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return [length, json, body];
}

/** The inverse of {@link encodeRecord}. */
export function decodeRecord(id: JobUrn, bytes: Buffer): JobRecord {
  const start = 4 + bytes.readUInt32LE();
  const { outcome, ...rest } = JSON.parse(bytes.toString("utf8", 4, start)) as Omit<JobRecord, "id" | "outcome"> & {
    readonly outcome: Head;
  };
  return { id, ...rest, outcome: join(outcome, bytes.subarray(start)) };
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
