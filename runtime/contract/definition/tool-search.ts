import type { McpToolDescriptor } from "./mcp-descriptor.ts";
import { toolSearchNames } from "./tool-search-names.ts";

/** Maximum number of tools that are listed one by one. A longer list takes too much of a model's context. */
export const listableTools = 30;

/** Number of tools that one search returns: the default and the maximum. */
export const searchLimit = { usual: 8, most: 20 } as const;

/** Maximum characters of a query; each of its words is compared with all texts of the tools. */
export const longestQuery = 500;

/** Entries of `tools/list` that replace a long list. @param count Number of tools that can be searched */
export function toolSearchDescriptors(count: number): readonly McpToolDescriptor[] {
  const name = { type: "string", description: "Name of the tool, as the search gave it." };
  return [
    {
      name: toolSearchNames.search,
      description: `Finds tools of this service by words about what is to be done. It has ${count}, which are not listed one by one: search first, then call ${toolSearchNames.describe} and ${toolSearchNames.call}.`,
      inputSchema: {
        type: "object",
        properties: {
          query: {
            type: "string",
            minLength: 1,
            maxLength: longestQuery,
            description: "Words, such as those of the task.",
          },
          limit: {
            type: "integer",
            minimum: 1,
            maximum: searchLimit.most,
            description: `Number of tools; default ${searchLimit.usual}.`,
          },
        },
        required: ["query"],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    },
    {
      name: toolSearchNames.describe,
      description: "Gives the whole description of a tool, with the schemas of its arguments and of its result.",
      inputSchema: { type: "object", properties: { name }, required: ["name"], additionalProperties: false },
      annotations: { readOnlyHint: true },
    },
    {
      name: toolSearchNames.call,
      description: `Calls a tool with arguments that match the schema from ${toolSearchNames.describe}, and gives its result.`,
      inputSchema: {
        type: "object",
        properties: {
          name,
          arguments: { type: "object", description: "Arguments of the tool.", additionalProperties: true },
        },
        required: ["name"],
        additionalProperties: false,
      },
    },
  ];
}
