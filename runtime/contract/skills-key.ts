/**
 * On `globalThis`: gives the skills of the service. Set by the plugin; a key as in `process-keys.ts`, which every start
 * reads.
 */
export const skillsKey: unique symbol = Symbol.for("tenon.skills");
