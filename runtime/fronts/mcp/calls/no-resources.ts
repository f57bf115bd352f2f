import { faultCodes, McpFault } from "../port/fault.ts";
import type { McpResources } from "../port/port.ts";

/** An empty set of resources, to which views and other resources can be added. */
export const noResources: McpResources = {
  list: () => ({ resources: [] }),
  listTemplates: () => ({ resourceTemplates: [] }),
  read: async (uri) => notFound(uri),
  check: notFound,
  complete: (uriTemplate) => {
    throw new McpFault(faultCodes.invalidParams, `Unknown resource template: ${uriTemplate}`);
  },
};

function notFound(uri: string): never {
  throw new McpFault(faultCodes.invalidParams, "Resource not found", { uri });
}
