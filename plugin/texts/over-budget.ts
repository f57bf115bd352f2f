import type { ToolDefinition } from "../../runtime/contract/contract.ts";
import type { ToolModel } from "../model/tool.ts";
import type { Position } from "../model/type.ts";
import type { TextFinding } from "./text-finding.ts";
import { estimateTokens } from "../../runtime/contract/definition/estimate-tokens.ts";
import { describeTool } from "../../runtime/contract/definition/mcp-descriptor.ts";

/** Maximum tokens of tools in a model's context, as `tenon inspect` counts them. */
export interface TokenBudget {
  /** Maximum tokens of each tool. */
  readonly tool?: number;
  /** Maximum tokens of all tools together. */
  readonly service?: number;
}

/** A tool, and the definition by whose size it is judged. */
interface Sized {
  readonly model: ToolModel;
  readonly definition: ToolDefinition;
}

/** TN609: tools that take more tokens than the project allows. `service` is the position of `new Service`. */
export function overBudget(
  all: readonly Sized[],
  budget: TokenBudget,
  service: Position | undefined,
): readonly TextFinding[] {
  const tools = all.filter(({ model }) => model.kind === undefined);
  const sized = tools.map(({ model, definition }) => ({ model, tokens: toolTokens(definition) }));
  const { tool: most, service: mostOfAll } = budget;
  const found = sized.flatMap(({ model, tokens }): readonly TextFinding[] => {
    if (most === undefined || tokens <= most) return [];
    const message = `Tool \`${model.name}\` takes about ${tokens} tokens in a model's tool list, ${tokens - most} more than its budget of ${most}.`;
    return [{ code: "TN609", at: model.position, message, fix: "shorten its texts, or take a plainer type" }];
  });
  const total = sized.reduce((sum, { tokens }) => sum + tokens, 0);
  const [largest] = sized.toSorted((a, b) => b.tokens - a.tokens);
  if (mostOfAll === undefined || total <= mostOfAll || largest === undefined) return found;
  return [
    ...found,
    {
      code: "TN609",
      at: service ?? largest.model.position,
      message: `The tools of the service take about ${total} tokens in a model's tool list, ${total - mostOfAll} more than its budget of ${mostOfAll}. The largest is \`${largest.model.name}\` with ${largest.tokens}.`,
      fix: "shorten texts (`tenon inspect` counts each tool), or move tools to a service of their own",
    },
  ];
}

/** Estimates how many tokens a tool takes in the tool list of a model. */
export function toolTokens(definition: ToolDefinition): number {
  return estimateTokens(JSON.stringify(describeTool(definition)));
}
