import { faultCodes, McpFault } from "../port/fault.ts";
import type { McpResources } from "../port/port.ts";

/** The resources of a service that has none of its own; views and other resources are added to them. */
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
