/**
 * The symbols by which parts of one process share values: two copies of the package, the text that the plugin writes
 * into bundles, and the commands. A key of a released version never changes its meaning.
 */

/** On `globalThis`: URL of the file that worker threads start again. Set by the plugin in the entry of a build. */
export const entryKey: unique symbol = Symbol.for("tenon.entry");
/**
 * On `globalThis`: version of the service. Set by the plugin, because a container has the build and no package.json.
 */
export const versionKey: unique symbol = Symbol.for("tenon.version");
/** On `globalThis`: the original standard output, if it is guarded. */
export const stdoutKey: unique symbol = Symbol.for("tenon.stdout");
/**
 * On `globalThis`: set by a module that serves on standard output; its name in the text of a bundle marks such a
 * bundle.
 */
export const stdioKey: unique symbol = Symbol.for("tenon.stdio");

/** On `globalThis`: the tools that generated code has registered. */
export const registryKey: unique symbol = Symbol.for("tenon.registry");
/** On `globalThis`: the functions that `platformLambda` has marked. */
export const lambdasKey: unique symbol = Symbol.for("tenon.lambdas");
/** On a class: its URN, from `withSchema`. */
export const schemaKey: unique symbol = Symbol.for("tenon.schema");

/** On `globalThis`: the hook that patched HTTP clients call. */
export const outboundKey: unique symbol = Symbol.for("tenon.outbound");
/** On a function or class: it is patched. */
export const patchedKey: unique symbol = Symbol.for("tenon.outbound.patched");
/** On `globalThis`: every import of `http` and `https` in the bundle leads to a patched module. */
export const wrappedKey: unique symbol = Symbol.for("tenon.outbound.builtins");

/** On `globalThis`: the log of the process. */
export const logKey: unique symbol = Symbol.for("tenon.logging");
/** On `globalThis`: the signals for which a service has registered providers with OpenTelemetry. */
export const telemetryKey: unique symbol = Symbol.for("tenon.telemetry");
/** On `globalThis`: the connections to platforms. */
export const platformKey: unique symbol = Symbol.for("tenon.platform");
/** On `globalThis`: set while a fake clock is used. */
export const fakeClockKey: unique symbol = Symbol.for("tenon.fakeClock");
/** On `globalThis`: the process of `tenon dev`. */
export const devHostKey: unique symbol = Symbol.for("tenon.dev");
/** On `globalThis`: under `tenon dev`, the values of CommonJS packages. */
export const devCommonJsKey: unique symbol = Symbol.for("tenon.dev.commonjs");

/** On an instance: its class, recognised across copies of the package. */
export const valueErrorMark: unique symbol = Symbol.for("tenon.ValueError");
export const binaryResultMark: unique symbol = Symbol.for("tenon.BinaryResult");
export const contentMark: unique symbol = Symbol.for("tenon.Content");
export const messageMark: unique symbol = Symbol.for("tenon.Message");

/** A JavaScript expression for a key, for generated code. */
export function keyExpression(key: symbol): string {
  return `Symbol.for(${JSON.stringify(key.description)})`;
}
