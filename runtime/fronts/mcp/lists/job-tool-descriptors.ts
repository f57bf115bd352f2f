import type { JsonSchema } from "../../../contract/contract.ts";
import { defaultWait } from "../../../service/tools/tool-options.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import type { McpToolDescriptor } from "../port/descriptors.ts";

/** Maximum seconds for which `job_result` waits. */
export const longestWait = 50;

const jobId: JsonSchema = { type: "string", description: "Id of the job, as the call gave it." };
const wait: JsonSchema = {
  type: "number",
  minimum: 0,
  maximum: longestWait,
  description: `Seconds to wait for the end; default ${defaultWait}.`,
};

/**
 * Entries in `tools/list` of the tools for following long calls; includes the tool for messages only if a tool waits
 * for messages.
 */
export function jobToolDescriptors(tools: readonly Pick<Tool, "definition">[]): readonly McpToolDescriptor[] {
  const waits = tools.some(({ definition }) => definition.waits !== undefined);
  return waits ? all : all.filter(({ name }) => name !== "job_send");
}

const all: readonly McpToolDescriptor[] = [
  {
    name: "job_status",
    description: "Tells whether a job that was started by another tool still runs, and what it does.",
    inputSchema: { type: "object", properties: { jobId }, required: ["jobId"], additionalProperties: false },
    annotations: { readOnlyHint: true },
  },
  {
    name: "job_result",
    description: "Gives the result of a job that was started by another tool, or says that it still runs.",
    inputSchema: { type: "object", properties: { jobId, wait }, required: ["jobId"], additionalProperties: false },
    annotations: { readOnlyHint: true },
  },
  {
    name: "job_send",
    description: "Sends a message to a job that waits for it. Only on behalf of somebody who has decided so.",
    inputSchema: {
      type: "object",
      properties: {
        jobId,
        name: { type: "string", description: "Name of the message, as the job's status tells it." },
        key: { type: "string", description: "Key of the message, where the job waits for several of a name." },
        message: { description: "The message." },
      },
      required: ["jobId", "name", "message"],
      additionalProperties: false,
    },
    annotations: {},
  },
  {
    name: "job_cancel",
    description: "Ends a job that was started by another tool.",
    inputSchema: { type: "object", properties: { jobId }, required: ["jobId"], additionalProperties: false },
    annotations: { destructiveHint: true, idempotentHint: true },
  },
];
