import { asRecord, recordIn, recordsIn, textIn, type Json } from "../base/json.ts";
import { later } from "../parts/later.tsx";
import type { Block } from "./content-view.tsx";

/** Shows contents. Its script is loaded with the first of them, since most results are data. */
export const ContentView = later(async () => (await import("./content-view.tsx")).ContentView);

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
