import type { DefinedTool } from "../../client/tool-facts.ts";

/** A service definition, such as an import of the committed `service.json`. */
export interface MockDefinition {
  readonly tools: readonly (DefinedTool & { readonly "request-schema"?: object })[];
}
