import type { JsonObject } from "../contract/contract.ts";
import type { Config } from "../service/config/config.ts";
import { openApiDocument } from "../contract/definition/openapi.ts";
import { describeService } from "../contract/definition/service-definition.ts";
import type { ServiceTexts } from "../contract/definition/service-definition.ts";
import { stableJson } from "../contract/definition/stable-json.ts";
import { describeToolForPlatform } from "../contract/definition/tool-description.ts";
import { readDeployment } from "../service/config/deployment.ts";
import type { Flavour } from "../service/config/flags.ts";
import type { RestDocuments } from "../fronts/rest/documents.ts";
import type { Served } from "../service/served.ts";
import { StartError } from "../base/start-error.ts";
import type { Tool } from "../service/tools/tool.ts";

/** Output of the print flags as text; undefined when there is none of them. Throws `StartError`. */
export function printedDescription(served: Served, config: Config, flavour: Flavour): string | undefined {
  const { printServiceDescription, printToolDescription, tool: named = true } = config.flags;
  const asked = (flag: string | true): string | true => (flag === true ? named : flag);
  if (printServiceDescription !== false) {
    const tools = chosen(served.tools, asked(printServiceDescription));
    const deployment = readDeployment(config);
    return stableJson(describeService({ service: textsOf(served), tools: tools.map(withPath), flavour, deployment }));
  }
  if (printToolDescription === false) return undefined;
  const described = chosen(served.tools, asked(printToolDescription)).map((tool) => describeTool(tool, config));
  return stableJson(described.length === 1 ? described[0] : { tools: described });
}

/** The documents of a REST front, each created on first use. */
export function restDocuments(served: Served, config: Config, deferredStatus: 202 | 204): RestDocuments {
  let openApi: JsonObject | undefined;
  return {
    toolDescription: (tool) => describeTool(tool, config),
    openApi: () =>
      (openApi ??= openApiDocument({
        service: textsOf(served),
        tools: served.tools.map(({ definition, path, options }) => ({
          definition,
          path,
          ...(options.name !== undefined && { operationName: options.name }),
          ...(options.tags !== undefined && { tags: options.tags }),
        })),
        deferredStatus,
        scopes: config.auth?.scopes,
      })),
  };
}

/** The tool with a name; the only tool when no name is given. Throws `StartError`. */
export function findTool(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((candidate) => candidate.name).join(", ");
  throw new StartError(`There is no tool ${JSON.stringify(name)}. This service has: ${names}.`);
}

function chosen(tools: readonly Tool[], flag: string | true): readonly Tool[] {
  return flag === true ? tools : [findTool(tools, flag)];
}

function describeTool({ definition, options }: Tool, { serviceId }: Config): JsonObject {
  const description = describeToolForPlatform(definition, {
    ...(options.serviceId !== undefined && { serviceId: options.serviceId }),
    ...(serviceId !== undefined && { platformServiceId: serviceId }),
  });
  return { ...description, annotations: { ...description.annotations } };
}

/** A tool that is printed alone keeps its path among all tools. */
function withPath({ definition, path }: Tool): Tool["definition"] {
  return { ...definition, path };
}

function textsOf({ service, version }: Served): ServiceTexts {
  const { name, description, contact, license } = service;
  return {
    name,
    version,
    ...(description !== undefined && { description }),
    ...(contact !== undefined && { contact }),
    ...(license !== undefined && { license }),
  };
}
