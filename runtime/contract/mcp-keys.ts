/** Keys as in `process-keys.ts`, apart from those that every start reads. */

/** On `globalThis`: name of the service in the MCP registry, `mcpName` of its package. Set by the plugin. */
export const mcpNameKey: unique symbol = Symbol.for("tenon.mcpName");
/** On `globalThis`: gives the skills of the service. Set by the plugin. */
export const skillsKey: unique symbol = Symbol.for("tenon.skills");
