import type { SkillDefinition } from "../../../contract/definition/skill.ts";
import { createCallRunner } from "./call-runner.ts";
import type { CallRunnerOptions } from "./call-runner.ts";
import { createCatalogue } from "../lists/catalogue.ts";
import type { CatalogueOptions } from "../lists/catalogue.ts";
import { findHeaderParameters } from "../port/header-parameters.ts";
import { createJobTools } from "./job-tools.ts";
import { createPrompts } from "./prompts.ts";
import { createResources } from "./resources.ts";
import type { McpPort, McpResources } from "../port/port.ts";
import { scopeFinder } from "../lists/scope-finder.ts";
import { serveSkills } from "./skills.ts";
import { createTaskPort } from "./task-port.ts";
import type { TaskJobs } from "./task-port.ts";
import { createToolCalls, renderEnd } from "./tool-calls.ts";

/** `start` must be able to run the tools, prompts and resources. */
export interface ToolPortOptions extends CallRunnerOptions, CatalogueOptions {
  /** Finds stored jobs; without it there are neither tasks nor job tools. */
  readonly jobs?: TaskJobs;
  /** Served beside the resources. */
  readonly skills?: readonly SkillDefinition[];
}

/** The functions of a service for MCP engines: every call is an ordinary job. */
export function createToolPort(options: ToolPortOptions): McpPort {
  const { jobs, offers = [] } = options;
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const jobTools =
    jobs === undefined || options.jobTools !== true
      ? undefined
      : createJobTools(jobs, (job, outcome) => renderEnd({ job, outcome }));
  const headers = new Map(
    options.tools.map((tool) => [tool.name, findHeaderParameters(tool.definition.mcp.inputSchema)]),
  );
  const run = createCallRunner(options);
  const prompts = offers.filter(({ definition }) => definition.kind === "prompt");
  const resources = offers.filter(({ definition }) => definition.kind === "resource");
  const tasks = jobs === undefined ? undefined : createTaskPort(jobs);
  return {
    ...createCatalogue({ ...options, jobTools: jobTools !== undefined }),
    scopesOf: scopeFinder(options.tools, offers),
    headerParameters: (tool) => headers.get(tool) ?? [],
    startCall: createToolCalls({ tools, run, tasks, jobTools }),
    ...(tasks !== undefined && { tasks }),
    ...(prompts.length > 0 && { prompts: createPrompts(prompts, run, options.pageSize) }),
    ...withSkills(
      resources.length > 0 ? createResources(resources, run, options.pageSize) : undefined,
      options.skills ?? [],
    ),
  };
}

function withSkills(
  resources: McpResources | undefined,
  skills: readonly SkillDefinition[],
): Pick<McpPort, "resources" | "skills"> {
  if (skills.length > 0) return serveSkills(skills, resources);
  return resources === undefined ? {} : { resources };
}
