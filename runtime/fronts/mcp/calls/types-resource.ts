import type { Tool } from "../../../service/tools/tool.ts";
import { sees } from "../../http/identity.ts";
import type { McpResources } from "../port/port.ts";
import { noResources } from "./resources.ts";

const uri = "tenon://types.d.ts";
const mimeType = "text/typescript";

/**
 * Adds declarations of all tools to the resources, for hosts whose models write code. They are made when the resource
 * is read.
 */
export function withTypes(tools: readonly Tool[], resources: McpResources = noResources): McpResources {
  const entry = {
    uri,
    name: "types.d.ts",
    description: "Declarations of all tools in TypeScript: arguments and results.",
    mimeType,
  };
  return {
    ...resources,
    list(cursor, scopes) {
      const page = resources.list(cursor, scopes);
      return page.nextCursor === undefined ? { resources: [...page.resources, entry] } : page;
    },
    async read(asked, context) {
      if (asked !== uri) return resources.read(asked, context);
      const { typeDeclarations } = await import("../../../contract/definition/type-declarations.ts");
      const visible = tools.filter(({ definition }) => sees(context.scopes, definition.scopes));
      const text = typeDeclarations(visible.map(({ definition }) => definition));
      return { contents: [{ uri, mimeType, text }] };
    },
    check: (asked) => {
      if (asked !== uri) resources.check(asked);
    },
  };
}
