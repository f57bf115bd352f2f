/**
 * Key on `globalThis` for the name of the service in the MCP registry, `mcpName` of its package. Set by the plugin. Not
 * in `process-keys.ts`, so that a start without MCP does not read it.
 */
export const mcpNameKey: unique symbol = Symbol.for("tenon.mcpName");
