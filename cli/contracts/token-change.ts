import { estimateTokens } from "../../runtime/contract/definition/estimate-tokens.ts";
import type { Contract, ContractTool } from "./contract.ts";

/** Approximate number of tokens that the tools of two contracts take in a model's tool list. */
export interface TokenChange {
  readonly before: number;
  readonly after: number;
}

/** The tokens of two contracts; undefined if one of them lacks texts that models read. */
export function tokenChange(before: Contract, after: Contract): TokenChange | undefined {
  if (before.isBrief === true || after.isBrief === true) return undefined;
  return { before: tokensOf(before), after: tokensOf(after) };
}

/** Formats a change as `+ 412 tokens`; undefined for no change. */
export function tokenText({ before, after }: TokenChange): string | undefined {
  const more = after - before;
  return more === 0 ? undefined : `${more > 0 ? "+" : "−"} ${Math.abs(more)} tokens`;
}

function tokensOf({ tools }: Contract): number {
  return tools.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(readByModels(tool))), 0);
}

function readByModels(tool: ContractTool): object {
  const { name, title, description, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema: tool["request-schema"],
    outputSchema: tool["result-schema"],
    annotations,
  };
}
