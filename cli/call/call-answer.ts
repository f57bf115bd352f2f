import type { WireResult } from "../../runtime/client/transport.ts";

/** Result of a finished call over REST or MCP. */
export interface CallAnswer {
  readonly ok: boolean;
  /** The result as text, or the error for people. */
  readonly text: string;
  /** A binary result, written unchanged. */
  readonly bytes?: Uint8Array;
}

export type Listener = (line: string) => void;

/** Converts a result for display. */
export async function readAnswer(result: WireResult): Promise<CallAnswer> {
  if (result.kind === "json") return { ok: true, text: JSON.stringify(result.value, null, 2) };
  if (result.kind === "text") return { ok: true, text: result.text };
  const { blob } = result;
  if (blob.type.startsWith("text/")) return { ok: true, text: await blob.text() };
  return { ok: true, text: blob.type, bytes: new Uint8Array(await blob.arrayBuffer()) };
}
