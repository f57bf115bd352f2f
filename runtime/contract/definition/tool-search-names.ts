/** Names of the tools that replace a long tool list. */
export const toolSearchNames = { search: "search_tools", describe: "describe_tool", call: "call_tool" } as const;
