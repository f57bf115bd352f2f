import { registeredTools } from "./registry.ts";
import type { Tool } from "./tool.ts";

/**
 * The prompts and resources that the modules of the service have registered. MCP serves them; they have no REST path.
 */
export function resolveOffers(): readonly Tool[] {
  return registeredTools().flatMap(({ definition, functions }) =>
    definition.kind === undefined
      ? []
      : // Arguments of prompts and parts of addresses are always text, so coercion is on.
        [{ name: definition.name, definition, functions, options: { ...definition.options, coerce: true }, path: "" }],
  );
}
