import type { ToolDefinition } from "../contract.ts";
import { firstSentence } from "./first-sentence.ts";

/** Maximum bytes of generated instructions. */
export const mostBytes = 2000;
/** Maximum number of tools that have a line of their own; more tools are listed by groups. */
export const mostLines = 40;

/** Texts that instructions are made from. */
export interface InstructionsInput {
  /** The service's own text. */
  readonly description?: string | undefined;
  /** Tools in any order. */
  readonly tools: readonly Pick<ToolDefinition, "name" | "description" | "source" | "options" | "category">[];
}

/** Instructions of a service with few tools: its description, then the first sentence of each by name. */
export function shortInstructions({ description, tools }: InstructionsInput): string {
  const line = (tool: InstructionsInput["tools"][number]): string =>
    `- ${tool.name}: ${firstSentence(tool.description).slice(0, 200)}`;
  return addLines(description, tools.map(line).toSorted(), mostBytes);
}

/** Joins a text and lines below it, up to `most` bytes. Lines that do not fit are counted in a last line. */
export function addLines(head = "", lines: readonly string[], most: number): string {
  let text = `${head.slice(0, 500).trim()}\n`;
  for (const [index, line] of lines.entries()) {
    if (Buffer.byteLength(text + line) > most - 20) return `${text}\n- and ${lines.length - index} more`;
    text += `\n${line}`;
  }
  return text.trim().toWellFormed();
}
