import type { JobResult } from "../../../job/job.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import { describeResource } from "../lists/describe-offer.ts";
import { resourceEntries, resourceFinder } from "../lists/resource-entries.ts";
import { isView } from "../lists/view-offers.ts";
import { listed, visibleTo } from "../lists/visible-to.ts";
import type { McpResourceResult } from "../port/answers.ts";
import type { McpResourceDescriptor } from "../port/descriptors.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import { pageList } from "../port/page-list.ts";
import type { McpResources } from "../port/port.ts";
import { binaryContent } from "../results/binary-content.ts";
import type { RunCall } from "./call-runner.ts";
import { completions } from "./completions.ts";
import { runToResult } from "./run-to-result.ts";

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

/** Creates the resources of a service: its functions with `@resource`. */
export function createResources(resources: readonly Tool[], run: RunCall, pageSize: number | undefined): McpResources {
  const entries = resourceEntries(resources);
  const at = resourceFinder(entries);
  const of = (template: boolean): ReturnType<typeof visibleTo<McpResourceDescriptor>> =>
    visibleTo(
      entries
        .filter(({ tool, isTemplate }) => isTemplate === template && !isView(tool))
        .map(({ tool }) => listed(tool, describeResource(tool))),
    );
  const [list, templates] = [of(false), of(true)];
  const find = (uri: string): NonNullable<ReturnType<typeof at>> => {
    const found = at(uri);
    if (found === undefined) throw new McpFault(faultCodes.invalidParams, "Resource not found", { uri });
    return found;
  };
  return {
    list(cursor, scopes) {
      const { page, nextCursor } = pageList(list(scopes), ({ name }) => name, pageSize, cursor);
      return { resources: page, ...(nextCursor !== undefined && { nextCursor }) };
    },
    listTemplates(cursor, scopes) {
      const { page, nextCursor } = pageList(templates(scopes), ({ name }) => name, pageSize, cursor);
      return { resourceTemplates: page, ...(nextCursor !== undefined && { nextCursor }) };
    },
    async read(uri, context) {
      const { tool, args } = find(uri);
      const result = await runToResult(tool, args, context, run);
      return "inputRequests" in result ? result : { contents: [await contentOf(tool, uri, result)] };
    },
    check: (uri) => void find(uri),
    complete(uriTemplate, argument, typed) {
      const entry = entries.find(({ uri }) => uri === uriTemplate);
      if (entry === undefined)
        throw new McpFault(faultCodes.invalidParams, `Unknown resource template: ${uriTemplate}`);
      return completions(entry.tool, argument, typed);
    },
  };
}

async function contentOf(tool: Tool, uri: string, result: JobResult): Promise<McpResourceResult["contents"][number]> {
  const { definition } = tool;
  const { mimeType, mcp } = definition;
  if (result.kind === "text") {
    const meta = isView(tool) && mcp._meta !== undefined && { _meta: mcp._meta };
    return { uri, mimeType: mimeType ?? "text/plain", text: result.text, ...meta };
  }
  if (result.kind === "json") return { uri, mimeType: mimeType ?? "application/json", text: result.json };
  const type = definition.result.kind === "bytes" ? (mimeType ?? result.contentType) : result.contentType;
  const block = await binaryContent({ ...result, contentType: type }, uri);
  switch (block.type) {
    case "text":
      return { uri, mimeType: type, text: block.text };
    case "image":
    case "audio":
      return { uri, mimeType: type, blob: block.data };
    case "resource":
      return block.resource;
    case "resource_link":
      return { uri, mimeType: type, text: block.uri };
  }
}

function notFound(uri: string): never {
  throw new McpFault(faultCodes.invalidParams, "Resource not found", { uri });
}
