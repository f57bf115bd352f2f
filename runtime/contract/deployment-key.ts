import type { ServiceDefinition } from "./service-definition.ts";

/**
 * Key on `globalThis` for resources and command of the service, as in its definition. Set by the plugin. Not in
 * `process-keys.ts`, so that only a start that prints the definition reads it.
 */
export const deploymentKey: unique symbol = Symbol.for("tenon.deployment");

/** Resources and command from `resources.json` and `Dockerfile`, as the build found them. */
export interface BuiltDeployment {
  readonly resources?: ServiceDefinition["controller"]["resources"];
  readonly command?: readonly string[];
}
