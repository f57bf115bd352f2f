/**
 * On `globalThis`: gives the skills of the service. Set by the plugin; not in `process-keys.ts`, because every start
 * reads that file.
 */
export const skillsKey: unique symbol = Symbol.for("tenon.skills");
