import type { JsonSchema, ResultKind } from "../contract/contract.ts";
import { toolAlias } from "../contract/definition/tool-path.ts";
import { planOfSchema } from "./plan-of-schema.ts";
import type { ToolFacts } from "./transport.ts";

/** A service definition as far as callers need it, such as an import of the committed `service.json`. */
export interface Definition {
  readonly tools: readonly DefinedTool[];
}

/**
 * A tool of a definition. The types have plain strings instead of literals, since TypeScript types imported JSON this
 * way.
 */
export interface DefinedTool {
  readonly name: string;
  readonly path: string;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly idempotentHint?: boolean };
  readonly "result-kind"?: string;
  readonly "result-schema"?: object;
}

/** Returns the properties of a tool that its callers need, from the service definition. */
export function toolFacts(tool: DefinedTool): ToolFacts {
  const { readOnlyHint, idempotentHint } = tool.annotations ?? {};
  return {
    name: tool.name,
    // The alias is preferred, since it stays valid when the service gets a second tool.
    path: toolAlias(tool.name, tool.path) ?? tool.path,
    kind: (tool["result-kind"] ?? "json") as ResultKind,
    isRepeatable: readOnlyHint === true || idempotentHint === true,
    plan: planOfSchema(tool["result-schema"] as JsonSchema | undefined),
  };
}
