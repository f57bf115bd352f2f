import type { JsonObject } from "../../../contract/contract.ts";
import { describeTool } from "../../../contract/definition/mcp-descriptor.ts";
import { toolSearchNames } from "../../../contract/definition/tool-search-names.ts";
import { longestQuery, searchLimit } from "../../../contract/definition/tool-search.ts";
import { openedOnce } from "../../../base/opened-once.ts";
import { isObject, isWithin } from "../../../contract/validation/json-value.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import { sees } from "../../http/identity.ts";
import type { McpToolResult } from "../port/answers.ts";
import type { McpStartContext, Scopes } from "../port/port.ts";

/** The search tools that replace a long tool list. */
export interface ToolSearch {
  /** The tool call that a call of `call_tool` contains; undefined for any other call, and for an invalid one. */
  calledBy(name: string, args: JsonObject): { readonly name: string; readonly args: JsonObject } | undefined;
  /**
   * Answers `search_tools`, `describe_tool`, and an invalid `call_tool`, for which the model gets a hint; undefined for
   * any other name.
   */
  answer(name: string, args: JsonObject, context: McpStartContext): Promise<McpToolResult> | undefined;
}

/**
 * Creates the search.
 *
 * @param tools Tools that can be found. The first search makes their index.
 */
export function createToolSearch(tools: ReadonlyMap<string, Tool>): ToolSearch {
  const index = openedOnce(async () => {
    const { createToolIndex } = await import("./tool-index.ts");
    return createToolIndex([...tools.values()].map(({ definition }) => definition));
  });
  const isVisible = (name: string, scopes: Scopes | undefined): boolean => {
    const needs = tools.get(name)?.definition.scopes;
    return tools.has(name) && (scopes === undefined || sees(scopes, needs));
  };
  const find = async (query: string, limit: number, { scopes }: McpStartContext): Promise<readonly Tool[]> => {
    const names = (await index.value()).search(query, limit, (name) => isVisible(name, scopes));
    return names.flatMap((name) => tools.get(name) ?? []);
  };
  const unknown = async (name: string, context: McpStartContext): Promise<McpToolResult> => {
    const near = (await find(name.slice(0, longestQuery), 3, context)).map((tool) => tool.name);
    const hint =
      near.length === 0 ? `Find one with ${toolSearchNames.search}.` : `Is one of these meant? ${near.join(", ")}`;
    return refusal(`There is no tool ${JSON.stringify(name.slice(0, 200))}. ${hint}`);
  };
  const search = async (args: JsonObject, context: McpStartContext): Promise<McpToolResult> => {
    const { query, limit = searchLimit.usual } = args;
    if (typeof query !== "string" || query.trim() === "") return refusal("/query: a text is expected.");
    if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > searchLimit.most)
      return refusal(`/limit: a whole number from 1 to ${searchLimit.most} is expected.`);
    if (!isWithin(query, longestQuery))
      return refusal(`/query: a text of at most ${longestQuery} characters is expected.`);
    const found = await find(query, Number(limit), context);
    return result({
      tools: found.map(({ name, definition: { title, description, signature } }) => ({
        name,
        ...(title !== undefined && { title }),
        description: firstParagraph(description),
        signature,
      })),
    });
  };
  const describe = async ({ name }: JsonObject, context: McpStartContext): Promise<McpToolResult> => {
    if (typeof name !== "string") return refusal("/name: a text is expected.");
    const tool = isVisible(name, context.scopes) ? tools.get(name) : undefined;
    return tool === undefined ? unknown(name, context) : result(describeTool(tool.definition) as object as JsonObject);
  };
  const refuseCall = async ({ name }: JsonObject, context: McpStartContext): Promise<McpToolResult> => {
    if (typeof name !== "string") return refusal("/name: a text is expected.");
    return tools.has(name) ? refusal("/arguments: an object is expected.") : unknown(name, context);
  };
  return {
    calledBy(name, { name: inner, arguments: args = {} }) {
      const isCall = name === toolSearchNames.call && typeof inner === "string" && tools.has(inner) && isObject(args);
      return isCall ? { name: inner, args: args as JsonObject } : undefined;
    },
    answer(name, args, context) {
      switch (name) {
        case toolSearchNames.search:
          return search(args, context);
        case toolSearchNames.describe:
          return describe(args, context);
        case toolSearchNames.call:
          return refuseCall(args, context);
        default:
          return undefined;
      }
    },
  };
}

function result(value: JsonObject): McpToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

function refusal(text: string): McpToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function firstParagraph(text: string): string {
  return text.split(/\n\s*\n/)[0] ?? text;
}
