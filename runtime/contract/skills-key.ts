/**
 * Key on `globalThis` for a function that returns the skills of the service. Set by the plugin. Not in
 * `process-keys.ts`, because every start reads that file.
 */
export const skillsKey: unique symbol = Symbol.for("tenon.skills");
