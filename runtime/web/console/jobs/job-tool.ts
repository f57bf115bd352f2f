import { recordsIn } from "../base/json.ts";
import type { ServiceInfo, ToolInfo } from "../client/definition.ts";
import type { JobInfo } from "../client/job-info.ts";
import { keyFor } from "../call/awaited.ts";

/** A tool and its service. */
export interface JobTool {
  readonly service: ServiceInfo;
  readonly tool: ToolInfo;
}

/**
 * Finds the tool of a job. A platform does not know it if the service has several tools: then it is the one that waits
 * for the message for which the job is parked.
 */
export function toolOfJob(
  services: readonly ServiceInfo[],
  { service: urn, tool: name, waitsFor }: Pick<JobInfo, "service" | "tool" | "waitsFor">,
): JobTool | undefined {
  const own = services.filter((service) => service.urn === urn);
  return own
    .flatMap((service) => service.tools.map((tool) => ({ service, tool })))
    .find(({ tool }) =>
      name === undefined
        ? waitsFor !== undefined && recordsIn(tool.whole, "waits").some((wait) => keyFor(wait, waitsFor) !== undefined)
        : tool.name === name,
    );
}
