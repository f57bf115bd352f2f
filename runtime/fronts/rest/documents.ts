import type { JsonObject } from "../../contract/contract.ts";
import type { Tool } from "../../service/tools/tool.ts";

/** Documents of a REST front about its tools, made from their definitions. */
export interface RestDocuments {
  toolDescription(tool: Tool): JsonObject;
  openApi(): JsonObject;
}
