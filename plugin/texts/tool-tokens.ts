import type { ToolDefinition } from "../../runtime/contract/contract.ts";
import { describeTool } from "../../runtime/contract/definition/mcp-descriptor.ts";

/**
 * Estimates a text's size in a model's context, in tokens. Tokenizers differ. JSON with English text has about 3.6
 * characters per token in the common ones, which is exact enough to compare tools.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3.6);
}

/** About how many tokens a tool takes in the tool list of a model. */
export function toolTokens(definition: ToolDefinition): number {
  return estimateTokens(JSON.stringify(describeTool(definition)));
}
