/** Names of the tools that stand for a long list. */
export const toolSearchNames = { search: "search_tools", describe: "describe_tool", call: "call_tool" } as const;
