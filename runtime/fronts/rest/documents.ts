import type { JsonObject } from "../../contract/contract.ts";
import type { ServiceDefinition } from "../../contract/service-definition.ts";
import type { Tool } from "../../service/tools/tool.ts";

/** Documents about the tools of a REST service, made from the definitions of the tools. */
export interface RestDocuments {
  toolDescription(tool: Tool): JsonObject;
  /** The service definition, with the tools that a caller with these scopes may call. */
  definition(scopes: ReadonlySet<string> | undefined): ServiceDefinition;
  /**
   * The OpenAPI document with the tools that a caller with these scopes may call; undefined if callers are not
   * authenticated.
   */
  openApi(scopes: ReadonlySet<string> | undefined): JsonObject;
}
