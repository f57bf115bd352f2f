import type { Resources } from "./definition/resources.ts";

/**
 * On `globalThis`: resources and command of the service, as its definition has them. Set by the plugin. Beside the other
 * keys, so that only a start that prints the definition reads it.
 */
export const deploymentKey: unique symbol = Symbol.for("tenon.deployment");

/** What `resources.json` and `Dockerfile` said when the service was built. */
export interface BuiltDeployment {
  readonly resources?: Resources;
  readonly command?: readonly string[];
}
