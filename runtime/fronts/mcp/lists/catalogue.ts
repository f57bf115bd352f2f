import type { Tool } from "../../../service/tools/tool.ts";
import { describeTool } from "../../../contract/definition/mcp-descriptor.ts";
import type { McpServerInfo, McpToolDescriptor } from "../port/descriptors.ts";
import { pageList } from "../port/page-list.ts";
import { showsViews } from "../port/capabilities.ts";
import type { McpCatalogue } from "../port/port.ts";
import { isScoped, visibleTo, type Listed } from "./visible-to.ts";

/**
 * Milliseconds for which clients may cache the tool list: it never changes within a build, but with a longer time they
 * would miss a deployment.
 */
const defaultToolsTtl = 3_600_000;

export interface CatalogueOptions {
  readonly info: McpServerInfo;
  readonly instructions?: string;
  /** Tools, in the order of `tools/list`. */
  readonly tools: readonly Tool[];
  /** Prompts and resources. */
  readonly offers?: readonly Tool[];
  /** Descriptors of `job_status`, `job_result` and `job_cancel`, which are listed beside the tools. */
  readonly jobToolList?: readonly McpToolDescriptor[] | undefined;
  /** List with search tools that replaces the list of all tools. */
  readonly searchList?: SearchList | undefined;
  /** True if callers are authenticated, so that `@scope` has an effect. */
  readonly hasCallers?: boolean;
  /** True if the lists may change while the process runs. */
  readonly mayChange?: boolean;
  /** Entries per page of a list; default: all, because many clients never request a second page. */
  readonly pageSize?: number;
  /** Milliseconds that clients may cache the lists; default one hour. */
  readonly toolsTtl?: number;
}

/** A tool list with search tools in place of most tools. */
export interface SearchList {
  /** Tools with `@alwaysLoad`, which are still listed. */
  readonly loaded: readonly Tool[];
  /** The search tools. */
  readonly searching: readonly McpToolDescriptor[];
}

/** The public description of a service. It is made from definitions, so it is available before the tools can run. */
export function createCatalogue(options: CatalogueOptions): McpCatalogue {
  const { info, tools, offers = [], jobToolList, searchList, mayChange = false } = options;
  const hasViews = tools.some(({ definition }) => definition.view !== undefined);
  const entries = (service?: string): readonly Listed<McpToolDescriptor>[] => [
    ...(searchList?.loaded ?? tools).map((tool) => ({
      entry: jobToolList ? withoutOutput(tool, service) : describeTool(tool.definition, service),
      scopes: tool.definition.scopes,
    })),
    // A tool of the service takes precedence over a search or job tool of the same name.
    ...[...(searchList?.searching ?? []), ...(jobToolList ?? [])]
      .filter(({ name }) => !tools.some((tool) => tool.name === name))
      .map((entry) => ({ entry })),
  ];
  const descriptors = visibleTo(entries(info.name));
  const withoutViews = hasViews ? visibleTo(entries()) : descriptors;
  return {
    info,
    ...(options.instructions !== undefined && { instructions: options.instructions }),
    toolsTtl: options.toolsTtl ?? (mayChange ? 0 : defaultToolsTtl),
    ...(mayChange && { mayChange }),
    ...(hasViews && { hasViews }),
    listScope: options.hasCallers === true && isScoped([...tools, ...offers]) ? "private" : "public",
    listTools(cursor, scopes, capabilities) {
      const list = showsViews(capabilities) ? descriptors : withoutViews;
      const { page, nextCursor } = pageList(list(scopes), ({ name }) => name, options.pageSize, cursor);
      return { tools: page, ...(nextCursor !== undefined && { nextCursor }) };
    },
  };
}

/** Removes the output schema: a long call may be answered with a job id, which does not match the schema. */
function withoutOutput(tool: Tool, service: string | undefined): McpToolDescriptor {
  const { outputSchema, ...rest } = describeTool(tool.definition, service);
  return tool.definition.mcp.task !== "never" || outputSchema === undefined ? rest : { ...rest, outputSchema };
}
