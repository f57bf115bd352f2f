import type { ToolFacts, WireResult } from "../../runtime/client/transport.ts";
import type { CallAnswer } from "./call-answer.ts";
import { readAnswer } from "./read-answer.ts";

interface Piece {
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly resource?: { readonly blob?: string; readonly mimeType?: string };
}

/** Makes of a result over MCP what is shown: as over REST if the service says what it is, else its file or texts. */
export async function readMcpAnswer({ kind }: ToolFacts, result: WireResult): Promise<CallAnswer> {
  if (result.kind !== "json") return readAnswer(result);
  const { value } = result;
  if (typeof value === "string") return { ok: true, text: value };
  const { content } = Object(value) as { readonly content?: unknown };
  if (kind !== "content" || !Array.isArray(content)) return readAnswer(result);
  const pieces = content as readonly Piece[];
  const file = pieces.find(({ data, resource }) => (data ?? resource?.blob) !== undefined);
  if (file === undefined) return { ok: true, text: pieces.map(({ text = "" }) => text).join("\n") };
  const { data, mimeType, resource } = file;
  const bytes = Buffer.from(data ?? resource?.blob ?? "", "base64");
  return { ok: true, text: mimeType ?? resource?.mimeType ?? "", bytes };
}
