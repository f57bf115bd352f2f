import type { ServiceDefinition } from "./service-definition.ts";

/**
 * On `globalThis`: resources and command of the service, as its definition has them. Set by the plugin. Beside the
 * other keys, so that only a start that prints the definition reads it.
 */
export const deploymentKey: unique symbol = Symbol.for("tenon.deployment");

/** Resources and command from `resources.json` and `Dockerfile`, as the build found them. */
export interface BuiltDeployment {
  readonly resources?: ServiceDefinition["controller"]["resources"];
  readonly command?: readonly string[];
}
