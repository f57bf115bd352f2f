import { asRecord, recordIn, recordsIn, textIn, type Json } from "../base/json.ts";

/** A content of a result: a text, a picture, a sound, a resource or a link. */
export type Block = Readonly<Record<string, unknown>>;

/** Returns the contents of a result, or of its messages; undefined for any other result. */
export function contentsIn(value: Json | undefined): readonly Block[] | undefined {
  const record = asRecord(value);
  if (textIn(record, "$schema")?.startsWith("urn:platform:schema.content.") !== true) return undefined;
  const messages = recordsIn(record, "messages").map((message) => ({
    ...recordIn(message, "content"),
    role: message["role"],
  }));
  return [...recordsIn(record, "content"), ...messages];
}
