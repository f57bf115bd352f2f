import type { WireResult } from "../../runtime/client/transport.ts";
import type { CallAnswer } from "./call-answer.ts";

/** Converts a result for display. */
export async function readAnswer(result: WireResult): Promise<CallAnswer> {
  if (result.kind === "json") return { ok: true, text: JSON.stringify(result.value, null, 2) };
  if (result.kind === "text") return { ok: true, text: result.text };
  const { blob } = result;
  if (blob.type.startsWith("text/")) return { ok: true, text: await blob.text() };
  return { ok: true, text: blob.type, bytes: new Uint8Array(await blob.arrayBuffer()) };
}
