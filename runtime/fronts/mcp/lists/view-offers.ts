import type { ViewFacts } from "../../../contract/contract.ts";
import { viewType, viewUri } from "../../../contract/view.ts";
import type { Tool } from "../../../service/tools/tool.ts";

/**
 * Makes resources of the tools' views; reading a view needs the scopes of its tool.
 *
 * @param service Name of the service, which is a part of the views' addresses.
 */
export function viewOffers(tools: readonly Tool[], service: string): readonly Tool[] {
  return tools.flatMap((tool) => {
    const { definition, functions } = tool;
    const { view } = functions;
    if (view === undefined) return [];
    const { name, title, scopes, source, signature } = definition;
    return [
      {
        name,
        options: {},
        path: "",
        functions: { call: async () => (await view()).page(factsOf(tool)) },
        definition: {
          kind: "resource",
          uri: viewUri(service, name),
          mimeType: viewType,
          name,
          ...(title !== undefined && { title }),
          description: `The view of \`${name}\`.`,
          signature,
          source,
          annotations: {},
          ...(scopes !== undefined && { scopes }),
          result: { kind: "text" },
          // The empty policy names no origins, so hosts allow none.
          mcp: { inputSchema: { type: "object" }, _meta: { ui: { csp: {}, prefersBorder: true } } },
        },
      },
    ];
  });
}

/**
 * True for the view of a tool. It is not listed, since hosts find it by the tool, and lists of resources are for people
 * and models.
 */
export function isView({ definition }: Tool): boolean {
  return definition.mimeType === viewType && definition.mcp._meta?.["ui"] !== undefined;
}

function factsOf({ definition }: Tool): ViewFacts {
  const { name, title, description, view, result, mcp } = definition;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    ...view,
    kind: result.kind,
    ...(mcp.wrapped === true && { wrapped: true }),
    ...(result.schema !== undefined && { schema: result.schema }),
  };
}
