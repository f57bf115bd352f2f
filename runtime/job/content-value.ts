import { contentMark, messageMark } from "../contract/process-keys.ts";
import type { ContentBlock, PromptMessage } from "../contract/contract.ts";
import { blockOf, type Content, type Message } from "./content.ts";

/** Schema URN of a result that consists of contents. */
const contentUrn = "urn:platform:schema.content.1";

/** Wire form of a result that consists of contents. */
export type ContentValue =
  | { readonly $schema: string; readonly content: readonly ContentBlock[] }
  | { readonly $schema: string; readonly messages: readonly PromptMessage[] };

/**
 * Converts a tool's result into a wire value: `{ "$schema", "content": […] }`, or `{ "$schema", "messages": […] }` when
 * it has a message. `undefined` for any other result.
 */
export function contentValue(value: unknown): ContentValue | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!items.every((item) => typeof item === "string" || isContent(item) || isMessage(item))) return undefined;
  if (!items.some(isMessage))
    return { $schema: contentUrn, content: items.map((item) => blockOf(item as string | Content)) };
  const messages = items.map((item): PromptMessage =>
    isMessage(item)
      ? { role: item.role, content: item.content }
      : { role: "user", content: blockOf(item as string | Content) },
  );
  return { $schema: contentUrn, messages };
}

function isContent(value: unknown): value is Content {
  return typeof value === "object" && value !== null && (value as { [contentMark]?: unknown })[contentMark] === true;
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && (value as { [messageMark]?: unknown })[messageMark] === true;
}
