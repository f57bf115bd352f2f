import type { WireResult } from "../../runtime/client/transport.ts";

/** Result of a finished call over REST or MCP. */
export interface CallAnswer {
  readonly ok: boolean;
  /** The result as text, or the error for people. */
  readonly text: string;
  /** A binary result, written unchanged. */
  readonly bytes?: Uint8Array;
  /** True for a binary result that people can read: `text` is then its text, and otherwise its media type. */
  readonly isReadable?: boolean;
}

export type Listener = (line: string) => void;

/** Converts a result for display. */
export async function readAnswer(result: WireResult): Promise<CallAnswer> {
  if (result.kind === "json") return { ok: true, text: JSON.stringify(result.value, null, 2) };
  if (result.kind === "text") return { ok: true, text: result.text };
  const { blob } = result;
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const isReadable = /^(?:text\/|application\/json(?:;|$))/.test(blob.type);
  return { ok: true, text: isReadable ? await blob.text() : blob.type, bytes, isReadable };
}
