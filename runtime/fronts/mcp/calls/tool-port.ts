import type { JsonObject } from "../../../contract/contract.ts";
import { toolSearchNames } from "../../../contract/definition/tool-search-names.ts";
import type { SkillDefinition } from "../../../contract/definition/skill.ts";
import { createCallRunner, type CallRunnerOptions } from "./call-runner.ts";
import { createCatalogue, type CatalogueOptions } from "../lists/catalogue.ts";
import { searchList } from "../lists/search-list.ts";
import { findHeaderParameters } from "../port/header-parameters.ts";
import { createJobTools } from "./job-tools.ts";
import { jobToolDescriptors } from "../lists/job-tool-descriptors.ts";
import { createPrompts } from "./prompts.ts";
import { createResources } from "./resources.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import type { McpPort, McpResources } from "../port/port.ts";
import { createToolSearch } from "./search-tools.ts";
import { withTypes } from "./types-resource.ts";
import { scopeFinder } from "../lists/scope-finder.ts";
import { serveSkills } from "./skills.ts";
import { createTaskPort, type TaskJobs } from "./task-port.ts";
import { createToolCalls, renderEnd } from "./tool-calls.ts";

/** `start` must be able to run the tools, prompts and resources. */
export interface ToolPortOptions extends CallRunnerOptions, Omit<CatalogueOptions, "searchList" | "jobToolList"> {
  /** Finds stored jobs. If absent, there are neither tasks nor job tools. */
  readonly jobs?: TaskJobs;
  /** True: adds `job_status`, `job_result` and `job_cancel`. */
  readonly jobTools?: boolean;
  /** True: a long tool list is replaced by search tools; declarations of all tools are then a resource. */
  readonly toolSearch?: boolean | undefined;
  /** Skills, which are served in addition to the resources. */
  readonly skills?: readonly SkillDefinition[];
}

/**
 * Makes the {@link McpPort} of a service, by which protocol engines use it. Every call through it is an ordinary job.
 */
export function createToolPort(options: ToolPortOptions): McpPort {
  const { jobs, offers = [] } = options;
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const jobTools =
    jobs === undefined || options.jobTools !== true
      ? undefined
      : createJobTools(jobs, (job, outcome) => renderEnd({ job, outcome }));
  const headers = new Map(
    options.tools
      .map((tool) => [tool.name, findHeaderParameters(tool.definition.mcp.inputSchema)] as const)
      .filter(([, parameters]) => parameters.length > 0),
  );
  const run = createCallRunner(options);
  const prompts = offers.filter(({ definition }) => definition.kind === "prompt");
  const resources = offers.filter(({ definition }) => definition.kind === "resource");
  const list = options.toolSearch === true ? searchList(options.tools) : undefined;
  const search = list === undefined ? undefined : createToolSearch(tools);
  const scopesOf = scopeFinder(options.tools, offers);
  const tasks = jobs === undefined ? undefined : createTaskPort(jobs);
  return {
    ...createCatalogue({ ...options, jobToolList: jobTools && jobToolDescriptors(options.tools), searchList: list }),
    scopesOf: search === undefined ? scopesOf : throughCallTool(scopesOf),
    scopes: [...new Set([...options.tools, ...offers].flatMap(({ definition }) => definition.scopes ?? []))],
    ...(headers.size > 0 && { headerParameters: (tool) => headers.get(tool) ?? [] }),
    startCall: createToolCalls({ tools, run, tasks, jobTools, search }),
    ...(tasks !== undefined && { tasks }),
    ...(prompts.length > 0 && { prompts: createPrompts(prompts, run, options.pageSize) }),
    ...withOthers(resources.length > 0 ? createResources(resources, run, options.pageSize) : undefined, options),
  };
}

/** Adds the resources that are not functions of the author: declarations of the tools, and files of skills. */
function withOthers(
  own: McpResources | undefined,
  { skills = [], toolSearch, tools }: ToolPortOptions,
): Pick<McpPort, "resources" | "skills"> {
  const resources = toolSearch === true ? withTypes(tools, own) : own;
  if (skills.length > 0) return serveSkills(skills, resources);
  return resources === undefined ? {} : { resources };
}

/** Adds to a call through `call_tool` the scopes of the tool that it names. */
function throughCallTool(scopesOf: McpPort["scopesOf"]): McpPort["scopesOf"] {
  return (method, params) => {
    const inner = params["name"] === toolSearchNames.call ? params["arguments"] : undefined;
    return scopesOf(method, isObject(inner) ? { name: (inner as JsonObject)["name"] } : params);
  };
}
