import type { ToolDefinition } from "../../runtime/contract/contract.ts";
import { estimateTokens } from "../../runtime/contract/definition/estimate-tokens.ts";
import { describeTool } from "../../runtime/contract/definition/mcp-descriptor.ts";

/** Estimates how many tokens a tool takes in the tool list of a model. */
export function toolTokens(definition: ToolDefinition): number {
  return estimateTokens(JSON.stringify(describeTool(definition)));
}
