/**
 * Symbols by which parts of one process share values: two copies of the package, code that the plugin writes into
 * bundles, and the commands. The meaning of a released key never changes.
 */

/** Key on `globalThis` for the URL of the file that worker threads start. Set by the plugin in the entry of a build. */
export const entryKey: unique symbol = Symbol.for("tenon.entry");
/**
 * Key on `globalThis` for the version of the service. Set by the plugin, because a container has the build but no
 * package.json.
 */
export const versionKey: unique symbol = Symbol.for("tenon.version");
/** Key on `globalThis` for the original standard output, if it is guarded. */
export const stdoutKey: unique symbol = Symbol.for("tenon.stdout");
/**
 * Key on `globalThis` that is set by a module which serves MCP on standard output. The key's name in the text of a
 * bundle shows that the bundle contains such a module.
 */
export const stdioKey: unique symbol = Symbol.for("tenon.stdio");

/** Key on `globalThis` for the tools that generated code has registered. */
export const registryKey: unique symbol = Symbol.for("tenon.registry");
/** Key on `globalThis` for the functions that `platformLambda` has marked. */
export const lambdasKey: unique symbol = Symbol.for("tenon.lambdas");
/** Key on a class for its URN, from `withSchema`. */
export const schemaKey: unique symbol = Symbol.for("tenon.schema");

/** Key on `globalThis` for the hook that patched HTTP clients call. */
export const outboundKey: unique symbol = Symbol.for("tenon.outbound");
/** Key on a function or class that is set if it is patched. */
export const patchedKey: unique symbol = Symbol.for("tenon.outbound.patched");
/** Key on `globalThis` that is set if every import of `http` and `https` in the bundle leads to a patched module. */
export const wrappedKey: unique symbol = Symbol.for("tenon.outbound.builtins");

/** Key on `globalThis` for the log of the process. */
export const logKey: unique symbol = Symbol.for("tenon.logging");
/** Key on `globalThis` for the signals for which a service has registered providers with OpenTelemetry. */
export const telemetryKey: unique symbol = Symbol.for("tenon.telemetry");
/** Key on `globalThis` for the connections to platforms. */
export const platformKey: unique symbol = Symbol.for("tenon.platform");
/** Key on `globalThis` that is set while a fake clock is used. */
export const fakeClockKey: unique symbol = Symbol.for("tenon.fakeClock");
/** Key on `globalThis` that is set in a process of `tenon dev`. */
export const devHostKey: unique symbol = Symbol.for("tenon.dev");
/** Key on `globalThis` for the values of CommonJS packages under `tenon dev`. */
export const devCommonJsKey: unique symbol = Symbol.for("tenon.dev.commonjs");

/** Key on an instance by which its class is recognised across copies of the package. */
export const valueErrorMark: unique symbol = Symbol.for("tenon.ValueError");
export const binaryResultMark: unique symbol = Symbol.for("tenon.BinaryResult");
export const contentMark: unique symbol = Symbol.for("tenon.Content");
export const messageMark: unique symbol = Symbol.for("tenon.Message");

/**
 * Key on the error of a failed step for what the step threw, for the log and `tenon dev`. It is not the `cause`,
 * because a later attempt of the job does not have it, and code that reads it would then act differently.
 */
export const stepCauseKey: unique symbol = Symbol.for("tenon.stepCause");

/** Makes the JavaScript expression for a key, for generated code. */
export function keyExpression(key: symbol): string {
  return `Symbol.for(${JSON.stringify(key.description)})`;
}
