import type { JsonSchema } from "../../../contract/contract.ts";
import type { McpToolDescriptor } from "../port/descriptors.ts";

/** Seconds that `job_result` waits by default. */
export const defaultWait = 5;
export const longestWait = 50;

const jobId: JsonSchema = { type: "string", description: "Id of the job, as the call gave it." };
const wait: JsonSchema = {
  type: "number",
  minimum: 0,
  maximum: longestWait,
  description: `Seconds to wait for the end; default ${defaultWait}.`,
};

/** Entries in `tools/list` of the tools for following long calls. */
export const jobToolDescriptors: readonly McpToolDescriptor[] = [
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
    name: "job_cancel",
    description: "Ends a job that was started by another tool.",
    inputSchema: { type: "object", properties: { jobId }, required: ["jobId"], additionalProperties: false },
    annotations: { destructiveHint: true, idempotentHint: true },
  },
];
