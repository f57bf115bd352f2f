import type { CallToolResult } from "@modelcontextprotocol/client";
import type { ViewFacts } from "../../contract/contract.ts";

/** The data of an answer; undefined for one that is content only. */
export function readResult(answer: CallToolResult, { kind, wrapped }: Pick<ViewFacts, "kind" | "wrapped">): unknown {
  const { content, structuredContent: data } = answer as {
    content: CallToolResult["content"];
    structuredContent?: unknown;
  };
  if (data !== undefined) return wrapped === true && isWrapped(data) ? data.result : data;
  const text = textOf(content);
  if (kind === "text") return text;
  return kind === "json" ? parsed(text) : undefined;
}

/** True for an object that has the result under its only key. */
function isWrapped(data: unknown): data is { readonly result: unknown } {
  return typeof data === "object" && data !== null && Object.keys(data).join() === "result";
}

/** The text of an answer, for errors and for results that are text. */
export function textOf(content: CallToolResult["content"]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
