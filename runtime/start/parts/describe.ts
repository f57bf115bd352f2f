import type { JsonObject } from "../../contract/contract.ts";
import type { Config } from "../../service/config/config.ts";
import { openApiDocument } from "../../contract/definition/openapi.ts";
import { describeService, type ServiceTexts } from "../../contract/definition/service-definition.ts";
import { stableJson } from "../../contract/definition/stable-json.ts";
import { describeToolForPlatform } from "../../contract/definition/tool-description.ts";
import { readDeployment } from "../../service/config/deployment.ts";
import type { Flavour } from "../../service/config/flags.ts";
import type { RestDocuments } from "../../fronts/rest/documents.ts";
import { sees } from "../../fronts/http/identity.ts";
import type { Served } from "../../service/served.ts";
import { StartError } from "../../base/start-error.ts";
import type { Tool } from "../../service/tools/tool.ts";

/** Maximum number of cached documents. Callers that see the same tools share a document. */
const mostDocuments = 20;

/**
 * The output of the print flags, as text for stdout; undefined when there is none. Throws `StartError`.
 *
 * @param worker The only tool that a batch service runs
 */
export function printedDescription(
  served: Served,
  config: Config,
  flavour: Flavour,
  worker?: Tool,
): string | undefined {
  const { printServiceDescription, printToolDescription, tool: named = true } = config.flags;
  const asked = (flag: string | true): string | true => (flag === true ? named : flag);
  const chosen = (flag: string | true): readonly Tool[] => {
    const name = asked(flag);
    if (name !== true) return [findTool(served.tools, name)];
    return worker === undefined ? served.tools : [worker];
  };
  if (printServiceDescription !== false) {
    const tools = chosen(printServiceDescription);
    const deployment = readDeployment(config);
    // Prompts and resources are described only with the whole service, and only for a server.
    const isWhole = flavour === "lambda" && asked(printServiceDescription) === true;
    const offers = isWhole ? (served.offers ?? []).map(({ definition }) => definition) : [];
    const service = textsOf(served);
    // A batch service has no paths: its worker is described as the only tool.
    const definitions = tools.map((tool) => (flavour === "batch" ? tool.definition : withPath(tool)));
    return stableJson(describeService({ service, tools: definitions, offers, flavour, deployment }));
  }
  if (printToolDescription === false) return undefined;
  const described = chosen(printToolDescription).map((tool) => describeTool(tool, config));
  return stableJson(described.length === 1 ? described[0] : { tools: described });
}

/**
 * The documents of a REST service, each created on first use.
 *
 * @param base Path under which a host serves all routes; default none
 */
export function restDocuments(served: Served, config: Config, deferredStatus: 202 | 204, base = ""): RestDocuments {
  const known = new Map<string, JsonObject>();
  const openApi = (tools: readonly Tool[]): JsonObject => ({
    ...openApiDocument({
      service: textsOf(served),
      tools: tools.map(({ definition, path, options }) => ({
        definition,
        path,
        ...(options.tags !== undefined && { tags: options.tags }),
      })),
      deferredStatus,
      scopes: config.auth?.scopes,
    }),
    ...(base !== "" && { servers: [{ url: base }] }),
  });
  return {
    definition(scopes) {
      const deployment = readDeployment(config);
      const seen = <T extends Pick<Tool, "definition">>(functions: readonly T[]): readonly T[] =>
        functions.filter(({ definition }) => sees(scopes, definition.scopes));
      const tools = seen(served.tools).map(withPath);
      const offers = seen(served.offers ?? []).map(({ definition }) => definition);
      return describeService({ service: textsOf(served), tools, offers, flavour: "lambda", deployment });
    },
    toolDescription: (tool) => describeTool(tool, config),
    openApi(scopes) {
      const tools = served.tools.filter(({ definition }) => sees(scopes, definition.scopes));
      const key = tools.map(({ name }) => name).join(" ");
      const document = known.get(key) ?? openApi(tools);
      // A document is cached for each set of visible tools. There are few such sets, unless somebody varies scopes on
      // purpose, so their number is limited.
      if (known.size < mostDocuments) known.set(key, document);
      return document;
    },
  };
}

/** The tool with a name; the only tool when no name is given. Throws `StartError`. */
export function findTool(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((candidate) => candidate.name).join(", ");
  throw new StartError(`There is no tool ${JSON.stringify(name)}. This service has: ${names}.`);
}

function describeTool({ definition, options }: Tool, { serviceId }: Config): JsonObject {
  const description = describeToolForPlatform(definition, {
    ...(options.serviceId !== undefined && { serviceId: options.serviceId }),
    ...(serviceId !== undefined && { platformServiceId: serviceId }),
  });
  return { ...description, annotations: { ...description.annotations } };
}

/** Gives a tool that is printed alone the path that it has among all tools. */
function withPath({ definition, path }: Tool): Tool["definition"] {
  return { ...definition, path };
}

function textsOf({ service, version }: Served): ServiceTexts {
  const { name, description, instructions, contact, license } = service;
  return {
    name,
    version,
    ...(description !== undefined && { description }),
    ...(instructions !== undefined && { instructions }),
    ...(contact !== undefined && { contact }),
    ...(license !== undefined && { license }),
  };
}
